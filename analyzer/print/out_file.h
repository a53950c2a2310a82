/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Write a file completely or not at all: under a temporary name in the same
 * folder, renamed at the end.  Only files written by stepwell itself are
 * replaced (common/own_file.h).
 */
#ifndef SW_ANALYZER_OUT_FILE_H
#define SW_ANALYZER_OUT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "common/error.h"
#include "common/own_file.h"

/* Output request; must outlive the open file. */
struct sw_out_request {
	const char *path;
	enum sw_own kind;
	bool is_forced;
	const char *const *inputs;	/* input files; may be NULL */
	size_t input_count;
};

struct sw_out_file {
	FILE *stream;
	const struct sw_out_request *request;
	struct stat there;		/* old file; st_nlink 0: none */
	int dirfd;
	char name[NAME_MAX + 1];
	char temporary[NAME_MAX + 1];	/* "": written in place */
};

/*
 * "-" and /dev/stdout are standard output, and /dev/fd/N is a descriptor of the
 * caller; pipes, terminals and /dev/null are written in place.  Other files are
 * rejected unless they may be replaced.  Return 0, or -1 with *error and an
 * errno of sw_target_check().
 */
int sw_out_file_open(struct sw_out_file *file,
		     const struct sw_out_request *request,
		     struct sw_error *error);

/* Check without writing, before long work; pipes are not opened. */
int sw_out_file_try(const struct sw_out_request *request,
		    struct sw_error *error);

/*
 * Rename the file to its final name, or discard it if not is_good.  Return 0,
 * or -1 with *error if it could not be written; then the old file is unchanged.
 */
int sw_out_file_close(struct sw_out_file *file, bool is_good,
		      struct sw_error *error);

#endif

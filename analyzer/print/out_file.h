/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is written as a whole or not at all: beside its place, under a
 * name of its own, which it changes at the end.  It replaces only what
 * stepwell wrote itself (common/own_file.h).
 */
#ifndef SW_ANALYZER_OUT_FILE_H
#define SW_ANALYZER_OUT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "common/error.h"
#include "common/own_file.h"

/* What is to be written; all of it must stay until the file is closed. */
struct sw_out_request {
	const char *path;
	enum sw_own kind;
	bool is_forced;
	const char *const *inputs;	/* of the command; may be NULL */
	size_t input_count;
};

struct sw_out_file {
	FILE *stream;
	const struct sw_out_request *request;
	struct stat there;		/* st_nlink 0: nothing was there */
	int dirfd;
	char name[NAME_MAX + 1];
	char temporary[NAME_MAX + 1];	/* "": it is written in place */
};

/*
 * "-" and /dev/stdout are standard output, /dev/fd/N is a descriptor of the
 * caller's; pipes, terminals and /dev/null are written in place.  Anything
 * else is refused unless it can be replaced.  0, or -1 with *error and errno
 * as sw_target_check() has them.
 */
int sw_out_file_open(struct sw_out_file *file,
		     const struct sw_out_request *request,
		     struct sw_error *error);

/*
 * The same without writing, before work that takes long; pipes are not opened.
 */
int sw_out_file_try(const struct sw_out_request *request,
		    struct sw_error *error);

/*
 * Put it in its place, or with is_good false forget it.  0, or -1 with *error
 * where it could not be written; then what was there before is there still.
 */
int sw_out_file_close(struct sw_out_file *file, bool is_good,
		      struct sw_error *error);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is written as a whole or not at all: beside its place, under a
 * name of its own, which it changes at the end.
 */
#ifndef SW_ANALYZER_OUT_FILE_H
#define SW_ANALYZER_OUT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"

struct sw_out_file {
	FILE *stream;
	const char *path;
	char temporary[PATH_MAX];	/* "": it is written in place */
};

/*
 * "-" is standard output, and what is no regular file (a pipe, a terminal) is
 * written in place.  A link to a file is refused: it may be somebody else's.
 * 0, or -1 with *error and errno.  path has to stay.
 */
int sw_out_file_open(struct sw_out_file *file, const char *path,
		     struct sw_error *error);

/*
 * Put it in its place, or with is_good false forget it.  0, or -1 with *error
 * where it could not be written; then what was there before is there still.
 */
int sw_out_file_close(struct sw_out_file *file, bool is_good,
		      struct sw_error *error);

#endif

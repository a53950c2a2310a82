/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read the records of an lsb.acct, which are lines except in two cases: a line
 * truncated by a failure of the daemon or its disk may continue with the next
 * record, and a text may contain a newline.  Quotes within a text are doubled,
 * so no text can imitate the beginning of a record.
 */
#ifndef SW_ANALYZER_LSF_LINES_H
#define SW_ANALYZER_LSF_LINES_H

#include <stddef.h>
#include <stdio.h>

/* Initially zero except for the file, which remains the caller's */
struct sw_lsf_lines {
	FILE *file;
	char *line;	       /* current record; may be changed */
	size_t length, number; /* of its first line in the file */
	/* Records read so far: JOB_FINISH, and others */
	size_t finished_count, other_count;
	/* Private. */
	size_t size, line_count, more_size;
	size_t rest_at;	  /* offset of the next record in line; 0: none */
	char *more;	  /* next line */
	long more_length; /* 0: not read yet */
};

/* Read a record: 1; 0 at the end; -1 (errno). */
int sw_lsf_lines_next(struct sw_lsf_lines *lines);
/* After the end, return why a file with records of jobs has no readable one, or
 * NULL. */
const char *sw_lsf_lines_refused(const struct sw_lsf_lines *lines);
void sw_lsf_lines_fini(struct sw_lsf_lines *lines);

#endif

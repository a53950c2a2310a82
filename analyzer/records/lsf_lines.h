/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of an lsb.acct, which are lines but for two cases.  A line that
 * was cut, as the daemon or its disk failed, may go on with the next record;
 * and a text may hold a newline.  Quotes within a text are doubled, so that no
 * text can hold the begin of a record.
 */
#ifndef SW_ANALYZER_LSF_LINES_H
#define SW_ANALYZER_LSF_LINES_H

#include <stddef.h>
#include <stdio.h>

/* All zero but the file, which stays the caller's. */
struct sw_lsf_lines {
	FILE *file;
	char *line;	       /* the record; may be changed */
	size_t length, number; /* of its first line in the file */
	/* Of jobs, read so far: JOB_FINISH, and of other kinds. */
	size_t finished_count, other_count;
	/* Inside. */
	size_t size, line_count, more_size;
	size_t rest_at;	  /* of the line: the next record; 0: none */
	char *more;	  /* the line behind it */
	long more_length; /* 0: not read yet */
};

/* 1: there is one; 0: the end; -1 (errno). */
int sw_lsf_lines_next(struct sw_lsf_lines *lines);
/* After the end: why a file with records of jobs has none to read, or NULL. */
const char *sw_lsf_lines_refused(const struct sw_lsf_lines *lines);
void sw_lsf_lines_fini(struct sw_lsf_lines *lines);

#endif

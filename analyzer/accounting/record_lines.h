/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of sacct's output, and their fields.  A job's name may hold
 * newlines, so that a line goes on on the next until it has all its fields.
 * Where the delimiter cannot be known to those who wrote the names, no name can
 * pass for a line.
 */
#ifndef SW_ANALYZER_RECORD_LINES_H
#define SW_ANALYZER_RECORD_LINES_H

#include "analyzer/accounting/record_fields.h"

struct sw_record_lines {
	char *next;		/* the text; it is changed */
	const char *delimiter;
	const struct sw_record_fields *fields;
};

/*
 * The fields of the next line; "" for those that are not asked for.  1, 0 at
 * the end, or -1: field[0] is the begin of a line of fewer or more fields.
 */
int sw_record_lines_next(struct sw_record_lines *lines,
			 const char *field[SW_RECORD_FIELDS]);

/*
 * Where the last job of a text begins, that what is before it can be read
 * without what comes behind; NULL: nowhere but at its begin.
 */
char *sw_record_lines_cut(const struct sw_record_lines *lines);

#endif

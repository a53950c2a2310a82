/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Split sacct's output into lines and fields.  A job's name may contain
 * newlines, so a line continues on the next one until it has all its fields.
 * If users cannot know the delimiter, no name can imitate a line.
 */
#ifndef SW_ANALYZER_RECORD_LINES_H
#define SW_ANALYZER_RECORD_LINES_H

#include "analyzer/accounting/record_fields.h"

struct sw_record_lines {
	char *next;		/* position in the text, which is changed */
	const char *delimiter;
	const struct sw_record_fields *fields;
};

/*
 * Split the next line; fields that were not queried are "".  1, 0 at the end,
 * or -1: field[0] is the beginning of a line with too few or too many fields.
 */
int sw_record_lines_next(struct sw_record_lines *lines,
			 const char *field[SW_RECORD_FIELDS]);

/*
 * Return the beginning of the last job in a text, so that the part before it
 * can be parsed alone; NULL: only at the beginning of the text.
 */
char *sw_record_lines_cut(const struct sw_record_lines *lines);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of sacct --parsable2, by their header, and a line's fields. */
#ifndef SW_ANALYZER_SACCT_COLUMNS_H
#define SW_ANALYZER_SACCT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

enum { SW_SACCT_COLUMNS_MAX = 256 };

enum sw_sacct_field {
	SW_SACCT_JOB_ID, SW_SACCT_JOB_NAME, SW_SACCT_USER, SW_SACCT_CLUSTER,
	SW_SACCT_PARTITION, SW_SACCT_COMMENT, SW_SACCT_STATE, SW_SACCT_START,
	SW_SACCT_END, SW_SACCT_ELAPSED, SW_SACCT_ELAPSED_RAW, SW_SACCT_LIMIT,
	SW_SACCT_LIMIT_RAW, SW_SACCT_REQ_MEM, SW_SACCT_REQ_TRES,
	SW_SACCT_ALLOC_TRES, SW_SACCT_MAX_RSS, SW_SACCT_AVE_RSS, SW_SACCT_CPUS,
	SW_SACCT_REQ_CPUS, SW_SACCT_NODES, SW_SACCT_TASKS, SW_SACCT_TOTAL_CPU,
	SW_SACCT_RESTARTS, SW_SACCT_SUBMIT, SW_SACCT_EXIT, SW_SACCT_FIELDS,
};

struct sw_sacct_columns {
	int field_of[SW_SACCT_COLUMNS_MAX];	/* SW_NO_INDEX: not used */
	size_t count;
	bool has[SW_SACCT_FIELDS];
	char separator;		/* "|", or what --delimiter was given */
	bool ends_in_text;	/* all that can hold a separator is last */
};

/*
 * What separates the names of a header: "|", or a control character
 * (--delimiter=$'\x1f') but a tab.  NUL: there is neither.
 */
char sw_sacct_separator(const char *header);

/*
 * Read the header, which is changed.  0, or -1: there are more than
 * SW_SACCT_COLUMNS_MAX columns.
 */
int sw_sacct_columns_read(struct sw_sacct_columns *columns, char *header);

/*
 * The fields of a line, which is changed and which they point into; "" for
 * those that have no column.  A text that a user wrote may hold separators
 * where it is the only such column and the last.  0, or -1: the line has fewer
 * or more fields than the header.
 */
int sw_sacct_columns_split(const struct sw_sacct_columns *columns, char *line,
			   const char *field[SW_SACCT_FIELDS]);

#endif

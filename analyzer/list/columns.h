/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of "stepwell list", the same for text, CSV and JSON. */
#ifndef SW_ANALYZER_LIST_COLUMNS_H
#define SW_ANALYZER_LIST_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

enum sw_list_column_id {
	SW_LIST_ID, SW_LIST_CLUSTER, SW_LIST_JOB_ID, SW_LIST_NAME,
	SW_LIST_PROGRAM, SW_LIST_USER, SW_LIST_UID, SW_LIST_GROUP,
	SW_LIST_DAY, SW_LIST_RUNS, SW_LIST_FAILED, SW_LIST_NODE_COUNT,
	SW_LIST_START, SW_LIST_ELAPSED, SW_LIST_TIME_LIMIT, SW_LIST_STATE,
	SW_LIST_STATE_SOURCE, SW_LIST_EXIT_CODE, SW_LIST_CORES,
	SW_LIST_USED_CPU, SW_LIST_ALLOCATED_CPU, SW_LIST_EFFICIENCY,
	SW_LIST_NEED, SW_LIST_NEED_UPPER, SW_LIST_NEED_IS_LOWER_BOUND,
	SW_LIST_MEMORY, SW_LIST_READ, SW_LIST_WRITTEN, SW_LIST_LIMITED_BY,
	SW_LIST_FIRST_FINDING, SW_LIST_SEVERITY, SW_LIST_FINDINGS,
	SW_LIST_TRUST, SW_LIST_PATH,
	SW_LIST_MEMORY_WORDS, SW_LIST_NEED_WORDS,
	/* Without a name: what the text shows in place of id and state. */
	SW_LIST_ID_SHOWN, SW_LIST_STATE_SHOWN,
	SW_LIST_COLUMNS,
};

enum sw_list_kind {
	SW_LIST_TEXT,
	SW_LIST_WORDS,		/* for people: not in JSON, nor in CSV by
				 * default */
	SW_LIST_TEXTS,		/* separated by spaces; "": none */
	SW_LIST_NUMBER,
	SW_LIST_BYTES,
	SW_LIST_BOOL,
	SW_LIST_DURATION,	/* usec; seconds in CSV and JSON */
	SW_LIST_TIME,		/* usec since the Epoch; likewise */
	SW_LIST_REAL,
	SW_LIST_RATIO,
};

/* How a line for several runs gets its value; unknown ones are left out. */
enum sw_list_sum {
	SW_LIST_OF_RUN,		/* it has none */
	SW_LIST_KEY,		/* it is the same for all */
	SW_LIST_SUM,
	SW_LIST_MAX,
	SW_LIST_RATIO_OF_SUMS,	/* of used to allocated CPU time */
	SW_LIST_OF_LARGEST_NEED,
	SW_LIST_MOST_FREQUENT,
};

struct sw_list_column {
	const char *name;	/* in --format, CSV and JSON; NULL: hidden */
	const char *other_name;	/* as in sacct(1) or reportseff; NULL: none */
	const char *head;	/* of the text; also a name */
	unsigned width;		/* of the text, at most */
	enum sw_list_kind kind;
	enum sw_list_sum sum;
	bool is_of_sums;	/* trivial for a single run: not shown */
	const char *help;
};

extern const struct sw_list_column sw_list_columns[SW_LIST_COLUMNS];

enum sw_list_by { SW_LIST_BY_RUN, SW_LIST_BY_GROUP, SW_LIST_BY_DAY };

/* Parse "run", "group" or "day".  0, or -1 with *error. */
int sw_list_by_parse(enum sw_list_by *by, const char *text,
		     struct sw_error *error);

/* Does a line for a run, group or day have this column? */
bool sw_list_has(enum sw_list_by by, enum sw_list_column_id id);

/* The columns to print, in this order. */
enum { SW_LIST_FORMAT_MAX = 48 };

struct sw_list_format {
	struct sw_list_place {
		enum sw_list_column_id column;
		unsigned width;		/* 0: the column's own */
		bool is_descending;	/* for sorting */
	} items[SW_LIST_FORMAT_MAX];
	size_t count;
};

/* The default columns of the text, or all columns for CSV and JSON. */
void sw_list_format_default(struct sw_list_format *format, enum sw_list_by by);
void sw_list_format_all(struct sw_list_format *format, enum sw_list_by by);

/* The default order: newest first, or most allocated CPU time first. */
void sw_list_order_default(struct sw_list_format *order, enum sw_list_by by);

/*
 * Parse "id,name%30,cpu", any case; "+user" appends to what format has, and "-"
 * before a name is for sorting.  0, or -1 with *error.
 */
int sw_list_format_parse(struct sw_list_format *format, enum sw_list_by by,
			 const char *text, struct sw_error *error);

/* Is it one of these columns? */
bool sw_list_format_has(const struct sw_list_format *format,
			enum sw_list_column_id column);

/* Print the name, other name and meaning of all columns to stdout. */
void sw_list_columns_print(void);

#endif

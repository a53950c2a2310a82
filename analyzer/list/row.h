/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of a line of "stepwell list". */
#ifndef SW_ANALYZER_LIST_ROW_H
#define SW_ANALYZER_LIST_ROW_H

#include <stdint.h>

#include "analyzer/list/columns.h"
#include "analyzer/report/loaded.h"

struct json_object;

/* By the kind of its column; missing: NULL, SW_MISSING or NAN. */
union sw_list_value {
	char *text;
	uint64_t number;
	double real;
};

struct sw_list_row {
	union sw_list_value values[SW_LIST_COLUMNS];
	/* {"nodes": [], "steps": []} of a job; NULL: none.  Owned. */
	struct json_object *parts;
	bool is_borrowed;	/* its texts, but for the day: of the index */
};

struct sw_list_rows {
	struct sw_list_row *items;
	size_t count;
};

/* Append a row without values; NULL if out of memory. */
struct sw_list_row *sw_list_rows_add(struct sw_list_rows *rows);
void sw_list_rows_fini(struct sw_list_rows *rows);
void sw_list_row_fini(struct sw_list_row *row);

bool sw_list_is_text(enum sw_list_column_id id);
bool sw_list_is_real(enum sw_list_column_id id);
bool sw_list_is_missing(const struct sw_list_row *row,
			enum sw_list_column_id id);

/* Set a text value; NULL: missing.  0, or -1 if out of memory. */
int sw_list_set_text(struct sw_list_row *row, enum sw_list_column_id id,
		     const char *text);

/* Set the local day of the start.  0, or -1 if out of memory. */
int sw_list_fill_day(struct sw_list_row *row);

/*
 * Fill the row from a job or run that was judged, with its parts.  0, or -1 if out
 * of memory.
 */
int sw_list_row_fill(struct sw_list_row *row,
		     const struct sw_jobfiles_group *group,
		     const struct sw_loaded *loaded,
		     const struct sw_group_rules *rules);

#endif

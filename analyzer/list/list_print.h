/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the lines of "stepwell list" to stdout. */
#ifndef SW_ANALYZER_LIST_PRINT_H
#define SW_ANALYZER_LIST_PRINT_H

#include "analyzer/list/row.h"

/*
 * A table for people, its rows folded if the width is too small; findings are
 * colored by the severity of the first.
 */
void sw_list_print_text(const struct sw_list_rows *rows,
			const struct sw_list_format *format);

/* A line of names, and one for each row; missing values are empty. */
void sw_list_print_csv(const struct sw_list_rows *rows,
		       const struct sw_list_format *format);

/* Add an item for each row; with has_parts, it takes the parts of the row. */
void sw_list_add_json(struct json_object *array, struct sw_list_rows *rows,
		      const struct sw_list_format *format, bool has_parts);

#endif

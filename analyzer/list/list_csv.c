/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the lines of "stepwell list" as CSV. */
#include <stdio.h>

#include "analyzer/list/list_print.h"
#include "analyzer/print/csv.h"
#include "common/units.h"

static void print_value(const struct sw_list_row *row,
			enum sw_list_column_id id)
{
	const union sw_list_value *value = &row->values[id];
	const enum sw_list_kind kind = sw_list_columns[id].kind;

	if (sw_list_is_missing(row, id))
		return;
	if (sw_list_is_text(id))
		sw_csv_field(stdout, value->text);
	else if (sw_list_is_real(id))
		printf("%.6g", value->real);
	else if (kind == SW_LIST_DURATION || kind == SW_LIST_TIME)
		printf("%llu.%06llu",
		       (unsigned long long)(value->number / SW_USEC_PER_SEC),
		       (unsigned long long)(value->number % SW_USEC_PER_SEC));
	else if (kind == SW_LIST_BOOL)
		fputs(value->number ? "true" : "false", stdout);
	else
		printf("%llu", (unsigned long long)value->number);
}

void sw_list_print_csv(const struct sw_list_rows *rows,
		       const struct sw_list_format *format)
{
	size_t i, j;

	for (j = 0; j < format->count; j++)
		printf("%s%s", j ? "," : "",
		       sw_list_columns[format->items[j].column].name);
	for (i = 0; i < rows->count; i++) {
		for (j = 0; j < format->count; j++) {
			putchar(j ? ',' : '\n');
			print_value(&rows->items[i], format->items[j].column);
		}
	}
	putchar('\n');
}

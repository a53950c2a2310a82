/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sort lines of "stepwell list". */
#include "analyzer/list/order.h"

#include <stdlib.h>
#include <string.h>

/* For words, the numbers they are made of. */
static enum sw_list_column_id key_of(enum sw_list_column_id id)
{
	return id == SW_LIST_NEED_WORDS || id == SW_LIST_MEMORY_WORDS ?
		       SW_LIST_NEED : id;
}

int sw_list_compare(const struct sw_list_row *one,
		    const struct sw_list_row *two,
		    const struct sw_list_place *by)
{
	enum sw_list_column_id id = key_of(by->column);
	const union sw_list_value *a = &one->values[id], *b = &two->values[id];
	bool is_missing = sw_list_is_missing(one, id);
	int order;

	if (is_missing || sw_list_is_missing(two, id))
		return is_missing - sw_list_is_missing(two, id);
	if (sw_list_is_text(id))
		order = strcmp(a->text, b->text);
	else if (sw_list_is_real(id))
		order = (a->real > b->real) - (a->real < b->real);
	else
		order = (a->number > b->number) - (a->number < b->number);
	return by->is_descending ? -order : order;
}

static int compare(const void *a, const void *b, void *context)
{
	static const struct sw_list_place last = { .column = SW_LIST_ID };
	const struct sw_list_format *format = context;
	size_t i;
	int order = 0;

	for (i = 0; !order && i < format->count; i++)
		order = sw_list_compare(a, b, &format->items[i]);
	return order ? order : sw_list_compare(a, b, &last);
}

void sw_list_sort(struct sw_list_rows *rows,
		  const struct sw_list_format *order)
{
	if (rows->count)
		qsort_r(rows->items, rows->count, sizeof(*rows->items),
			compare, (void *)order);
}

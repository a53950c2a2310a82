/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of the same night, way and place. */
#include "analyzer/sweep/worse/worse.h"

#include <stdlib.h>
#include <string.h>

/* By cost; of the same cost by name, so that the order is always the same. */
static int by_cost(const void *a, const void *b)
{
	const struct sw_worse *one = a, *two = b;
	int order = (one->core_seconds < two->core_seconds) -
		    (one->core_seconds > two->core_seconds);

	if (!order)
		order = sw_keyed_compare(&one->groups[0]->entry,
					 &two->groups[0]->entry);
	return order ? order : strcmp(one->node, two->node);
}

/* Without a place in common, two groups are two causes. */
static bool is_same(const struct sw_worse *one, const struct sw_worse *two)
{
	const struct sw_difference *left = &one->difference;
	const struct sw_difference *right = &two->difference;

	return *one->place && !strcmp(one->place, two->place) &&
	       one->since_seconds == two->since_seconds &&
	       left->kind == right->kind &&
	       (left->kind != SW_DIFFERS_MORE ||
		(left->amount == right->amount &&
		 !*one->program == !*two->program));
}

static void join(struct sw_worse *row, const struct sw_worse *other)
{
	if (row->count < SW_WORSE_NAMED)
		row->groups[row->count] = other->groups[0];
	row->count++;
	row->jobs += other->jobs;
	row->core_seconds += other->core_seconds;
}

static void sort(struct sw_worses *worses)
{
	if (worses->count)
		qsort(worses->items, worses->count, sizeof(*worses->items),
		      by_cost);
}

void sw_worses_fold(struct sw_worses *worses)
{
	size_t kept = 0, i, j;

	sort(worses);
	for (i = 0; i < worses->count; i++) {
		for (j = 0; j < kept; j++) {
			if (is_same(&worses->items[j], &worses->items[i]))
				break;
		}
		if (j < kept)
			join(&worses->items[j], &worses->items[i]);
		else
			worses->items[kept++] = worses->items[i];
	}
	worses->count = kept;
	sort(worses);
}

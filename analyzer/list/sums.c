/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of "stepwell list" for groups and days. */
#include "analyzer/list/sums.h"

#include <math.h>
#include <string.h>

#include "analyzer/list/order.h"
#include "common/missing.h"

/* Runs that follow each other in the order of their key. */
struct part {
	const struct sw_list_row *runs;
	size_t count;
};

static void add_number(struct sw_list_row *sum, const struct part *part,
		       enum sw_list_column_id id)
{
	const bool is_sum = sw_list_columns[id].sum == SW_LIST_SUM;
	uint64_t *into = &sum->values[id].number, value;
	size_t i;

	for (i = 0; i < part->count; i++) {
		value = part->runs[i].values[id].number;
		if (sw_is_missing(value))
			continue;
		if (sw_is_missing(*into))
			*into = value;
		else if (is_sum)
			*into += value;
		else if (value > *into)
			*into = value;
	}
}

static void add_real(struct sw_list_row *sum, const struct part *part,
		     enum sw_list_column_id id)
{
	size_t i;

	for (i = 0; i < part->count; i++)
		sum->values[id].real = fmax(sum->values[id].real,
					    part->runs[i].values[id].real);
}

static void divide(struct sw_list_row *sum, const struct part *part,
		   enum sw_list_column_id id)
{
	double used = 0, allocated = 0;
	size_t i;

	for (i = 0; i < part->count; i++) {
		const union sw_list_value *run = part->runs[i].values;

		if (sw_is_missing(run[SW_LIST_ALLOCATED_CPU].number))
			continue;
		used += (double)run[SW_LIST_USED_CPU].number;
		allocated += (double)run[SW_LIST_ALLOCATED_CPU].number;
	}
	if (allocated > 0)
		sum->values[id].real = used / allocated;
}

/* The memory need is an interval: compare by its upper end, if known. */
static uint64_t need_of(const struct sw_list_row *run)
{
	uint64_t upper = run->values[SW_LIST_NEED_UPPER].number;

	return sw_is_missing(upper) ? run->values[SW_LIST_NEED].number : upper;
}

static int copy_largest(struct sw_list_row *sum, const struct part *part,
			enum sw_list_column_id id)
{
	const struct sw_list_row *largest = NULL;
	size_t i;

	for (i = 0; i < part->count; i++) {
		if (!sw_is_missing(need_of(&part->runs[i])) &&
		    (!largest || need_of(&part->runs[i]) > need_of(largest)))
			largest = &part->runs[i];
	}
	return largest ? sw_list_set_text(sum, id, largest->values[id].text) :
			 0;
}

/* The runs are sorted by this column within the part. */
static int copy_most_frequent(struct sw_list_row *sum, const struct part *part,
			      enum sw_list_column_id id)
{
	const char *best = NULL, *text;
	size_t i, same = 0, most = 0;

	for (i = 0; i < part->count; i++) {
		text = part->runs[i].values[id].text;
		if (!text)
			break;
		if (i && strcmp(text, part->runs[i - 1].values[id].text) != 0)
			same = 0;
		if (++same > most) {
			most = same;
			best = text;
		}
	}
	return sw_list_set_text(sum, id, best);
}

static int add_column(struct sw_list_row *sum, const struct part *part,
		      enum sw_list_column_id id)
{
	switch (sw_list_columns[id].sum) {
	case SW_LIST_KEY:
		return sw_list_set_text(sum, id, part->runs[0].values[id].text);
	case SW_LIST_SUM:
	case SW_LIST_MAX:
		if (sw_list_is_real(id))
			add_real(sum, part, id);
		else
			add_number(sum, part, id);
		return 0;
	case SW_LIST_RATIO_OF_SUMS:
		divide(sum, part, id);
		return 0;
	case SW_LIST_OF_LARGEST_NEED:
		return copy_largest(sum, part, id);
	case SW_LIST_MOST_FREQUENT:
		return copy_most_frequent(sum, part, id);
	case SW_LIST_OF_RUN:
		break;
	}
	return 0;
}

static int add_part(struct sw_list_rows *sums, const struct part *part,
		    enum sw_list_by by)
{
	struct sw_list_row *sum = sw_list_rows_add(sums);
	unsigned id;

	if (!sum)
		return -1;
	for (id = 0; id < SW_LIST_COLUMNS; id++) {
		if (sw_list_has(by, id) && add_column(sum, part, id) < 0)
			return -1;
	}
	/* A finding is unknown only if it is of all. */
	for (id = 0; id < part->count; id++) {
		if (part->runs[id].values[SW_LIST_FINDINGS].text)
			return sw_list_set_text(sum, SW_LIST_FINDINGS, "");
	}
	return 0;
}

int sw_list_add_up(struct sw_list_rows *sums, struct sw_list_rows *runs,
		   enum sw_list_by by)
{
	const struct sw_list_format order = {
		.items = { { .column = by == SW_LIST_BY_DAY ? SW_LIST_DAY :
							      SW_LIST_GROUP },
			   { .column = SW_LIST_FIRST_FINDING } },
		.count = 2,
	};
	struct part part = { .runs = runs->items };
	size_t i;

	sw_list_sort(runs, &order);
	for (i = 0; i < runs->count; i++) {
		part.count++;
		if (i + 1 < runs->count &&
		    !sw_list_compare(&runs->items[i], &runs->items[i + 1],
				     &order.items[0]))
			continue;
		if (add_part(sums, &part, by) < 0)
			return -1;
		part = (struct part){ .runs = &runs->items[i + 1] };
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growth of the node's counters while a step ran. */
#include "analyzer/series/growth.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/delta.h"
#include "common/grow.h"
#include "common/units.h"

enum { BITS = 8 };

/* Rows of a source, and the meaning of subjects at each time. */
struct walk {
	const struct sw_growth_query *query;
	struct sw_growths *growths;
	struct sw_series series, subjects;
	/* Looked up once, as a lookup per value would dominate the cost. */
	const uint64_t *subject, *columns[SW_GROWTH_COLUMNS_MAX];
	size_t next_subject;
	int item_of[SW_GROWTH_SUBJECTS_MAX];
	bool is_out_of_memory;
};

static int add_item(struct walk *walk, const char *kind, const char *name,
		    const char *detail)
{
	struct sw_growths *growths = walk->growths;
	struct sw_growth *item;
	size_t i;

	for (i = 0; i < growths->count; i++) {
		item = &growths->items[i];
		if (sw_is_same_text(item->kind, kind) &&
		    sw_is_same_text(item->name, name) &&
		    sw_is_same_text(item->detail, detail))
			return (int)i;
	}
	if (growths->count == SW_GROWTH_SUBJECTS_MAX)
		return SW_NO_INDEX;
	if (sw_grow(&growths->items, growths->count, sizeof(*item)) < 0) {
		walk->is_out_of_memory = true;
		return SW_NO_INDEX;
	}
	item = &growths->items[growths->count++];
	*item = (struct sw_growth){
		.kind = kind, .name = name, .detail = detail,
		.busiest = NAN, .before_usec = SW_MISSING,
	};
	sw_set_missing(item->grown, SW_GROWTH_COLUMNS_MAX);
	sw_set_missing(item->last, SW_GROWTH_COLUMNS_MAX);
	sw_set_missing(item->smallest, SW_GROWTH_COLUMNS_MAX);
	sw_set_missing(item->largest, SW_GROWTH_COLUMNS_MAX);
	sw_set_missing(item->before, SW_GROWTH_COLUMNS_MAX);
	return (int)i;
}

/* A recorder that takes over from another may renumber its subjects. */
static void name_subjects(struct walk *walk, uint64_t until_usec)
{
	const struct sw_series *rows = &walk->subjects;

	for (; walk->next_subject < sw_series_rows(rows);
	     walk->next_subject++) {
		size_t row = walk->next_subject;
		const char *source = sw_series_text(rows, row, "source");
		uint64_t index = sw_series_at(rows, row, "subject");

		if (sw_series_at(rows, row, "time_usec") > until_usec)
			return;
		if (!source || strcmp(source, walk->query->source) != 0 ||
		    index >= SW_GROWTH_SUBJECTS_MAX)
			continue;
		walk->item_of[index] = add_item(walk,
			sw_series_text(rows, row, "kind"),
			sw_series_text(rows, row, "name"),
			sw_series_text(rows, row, "detail"));
	}
}

static struct sw_growth *item_of(struct walk *walk, size_t row)
{
	uint64_t index = walk->subject ? walk->subject[row] : SW_MISSING;
	int item;

	if (sw_is_missing(index))
		item = add_item(walk, NULL, NULL, NULL);
	else
		item = index < SW_GROWTH_SUBJECTS_MAX ? walk->item_of[index] :
							SW_NO_INDEX;
	return item == SW_NO_INDEX ? NULL : &walk->growths->items[item];
}

/* Utilization of the link in an interval, in its busier direction. */
static void weigh_speed(struct sw_growth *item,
			const struct sw_growth_query *query,
			const uint64_t *now, uint64_t interval_usec,
			uint64_t ours_usec)
{
	uint64_t speed = now[query->speed_column], bytes = 0;
	double share;
	size_t i;

	if (query->speed_count == 0 || sw_is_missing(speed) || speed == 0)
		return;
	for (i = 0; i < query->speed_count; i++) {
		uint64_t grown = sw_delta_u64(now[i], item->before[i]);

		if (!sw_is_missing(grown) && grown > bytes)
			bytes = grown;
	}
	share = (double)bytes * BITS * (double)SW_USEC_PER_SEC /
		((double)speed * (double)interval_usec);
	item->busiest = fmax(item->busiest, share);
	if (share >= query->full_ratio)
		item->busy_usec += ours_usec;
}

static void grow(struct sw_growth *item, const struct sw_growth_query *query,
		 const uint64_t *now, uint64_t now_usec)
{
	uint64_t from = item->before_usec, to = now_usec;
	double part;
	size_t i;

	if (from < query->start_usec)
		from = query->start_usec;
	if (to > query->end_usec)
		to = query->end_usec;
	if (from >= to)
		return;
	part = (double)(to - from) / (double)(now_usec - item->before_usec);
	for (i = 0; i < query->column_count; i++) {
		uint64_t grown = sw_delta_u64(now[i], item->before[i]);

		if (!sw_is_missing(grown))
			grown = sw_whole_real(round((double)grown * part));
		item->grown[i] = sw_sum_u64(item->grown[i], grown);
		if (sw_is_missing(now[i]))
			continue;
		item->last[i] = now[i];
		item->smallest[i] = sw_min_u64(item->smallest[i], now[i]);
		item->largest[i] = sw_max_u64(item->largest[i], now[i]);
	}
	weigh_speed(item, query, now, now_usec - item->before_usec, to - from);
}

static void take_row(struct walk *walk, size_t row)
{
	const uint64_t *time_usec = walk->series.time_usec;
	uint64_t now_usec = time_usec ? time_usec[row] : SW_MISSING;
	uint64_t now[SW_GROWTH_COLUMNS_MAX];
	const struct sw_growth_query *query = walk->query;
	struct sw_growth *item;
	size_t i;

	if (sw_is_missing(now_usec))
		return;
	name_subjects(walk, now_usec);
	item = item_of(walk, row);
	if (!item || (!sw_is_missing(item->before_usec) &&
		      now_usec <= item->before_usec))
		return;
	for (i = 0; i < query->column_count; i++)
		now[i] = walk->columns[i] ? walk->columns[i][row] : SW_MISSING;
	if (!sw_is_missing(item->before_usec))
		grow(item, query, now, now_usec);
	memcpy(item->before, now, query->column_count * sizeof(*now));
	item->before_usec = now_usec;
}

/* First row at or after a time; rows are sorted by time. */
static size_t first_row(const struct sw_series *series, uint64_t usec)
{
	size_t low = 0, high = sw_series_rows(series), middle;

	while (series->time_usec && low < high) {
		middle = low + (high - low) / 2;
		if (series->time_usec[middle] < usec)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Read the rows of the query's time, and the samples before and after it.  A
 * job can have thousands of steps, each of which needs few rows.
 */
static void take_rows(struct walk *walk)
{
	size_t count = sw_series_rows(&walk->series), row;
	size_t first = first_row(&walk->series, walk->query->start_usec);
	size_t end = first_row(&walk->series, walk->query->end_usec);

	first -= first < SW_GROWTH_SUBJECTS_MAX ? first :
						  SW_GROWTH_SUBJECTS_MAX;
	end = count - end < SW_GROWTH_SUBJECTS_MAX ?
	      count : end + SW_GROWTH_SUBJECTS_MAX;
	for (row = first; row < end; row++)
		take_row(walk, row);
}

static void find_columns(struct walk *walk)
{
	size_t i;

	walk->subject = sw_series_numbers(&walk->series, "subject");
	for (i = 0; i < walk->query->column_count; i++)
		walk->columns[i] = sw_series_numbers(&walk->series,
						     walk->query->columns[i]);
}

void sw_growths_fini(struct sw_growths *growths)
{
	free(growths->items);
	memset(growths, 0, sizeof(*growths));
}

int sw_growths_init(struct sw_growths *growths, const struct sw_reader *reader,
		    const struct sw_growth_query *query)
{
	struct walk walk = { .query = query, .growths = growths };
	char table[64] = "series.";
	size_t i;

	memset(growths, 0, sizeof(*growths));
	strncat(table, query->source, sizeof(table) - strlen(table) - 1);
	walk.series = sw_series_open(reader, table, SW_ALL_STEPS);
	if (sw_series_rows(&walk.series) == 0 ||
	    sw_is_missing(query->start_usec) || sw_is_missing(query->end_usec))
		return 0;
	walk.subjects = sw_series_open(reader, "subjects", SW_ALL_STEPS);
	for (i = 0; i < SW_GROWTH_SUBJECTS_MAX; i++)
		walk.item_of[i] = SW_NO_INDEX;
	find_columns(&walk);
	take_rows(&walk);
	if (!walk.is_out_of_memory)
		return 0;
	sw_growths_fini(growths);
	errno = ENOMEM;
	return -1;
}

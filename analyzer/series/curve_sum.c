/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sum curves over time: merge their edges, which each has in order. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/series/series.h"

/* An interval of a curve whose intervals are out of order. */
struct place {
	uint64_t start_usec;
	size_t index;
};

/* The next edge of a curve, which is the start or the end of an interval. */
struct cursor {
	const struct sw_curve *curve;
	struct place *places;	/* sorted; NULL: all are in order */
	uint64_t shift_usec;
	size_t number;		/* of the curve */
	size_t next;		/* interval after this edge */
	uint64_t usec;
	double change;
	int running;		/* +1 or -1 */
};

/* Cursors as a binary heap: the first has the earliest edge. */
struct edges {
	struct cursor *items;
	size_t count;
};

static bool is_before(const struct cursor *one, const struct cursor *two)
{
	if (one->usec != two->usec)
		return one->usec < two->usec;
	if (one->running != two->running)
		return one->running < two->running;
	return one->number < two->number;
}

static size_t index_of(const struct cursor *cursor)
{
	return cursor->places ? cursor->places[cursor->next].index :
				cursor->next;
}

/* Go to the start of the next interval with a value; false: there is none. */
static bool go_to_start(struct cursor *cursor)
{
	const struct sw_curve *curve = cursor->curve;

	for (; cursor->next < curve->count; cursor->next++) {
		size_t i = index_of(cursor);

		if (isnan(curve->value[i]) ||
		    curve->end_usec[i] <= curve->start_usec[i])
			continue;
		cursor->usec = curve->start_usec[i] + cursor->shift_usec;
		cursor->change = curve->value[i];
		cursor->running = 1;
		return true;
	}
	return false;
}

/* Go to the next edge; false at the end of the curve. */
static bool advance(struct cursor *cursor)
{
	size_t i;

	if (cursor->running < 0)
		return go_to_start(cursor);
	i = index_of(cursor);
	cursor->usec = cursor->curve->end_usec[i] + cursor->shift_usec;
	cursor->change = -cursor->curve->value[i];
	cursor->running = -1;
	cursor->next++;
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct place *one = a, *two = b;

	return (one->start_usec > two->start_usec) -
	       (one->start_usec < two->start_usec);
}

/* Sort the intervals if they are out of order: 0, or -1. */
static int find_places(struct cursor *cursor)
{
	const struct sw_curve *curve = cursor->curve;
	uint64_t last = 0, start;
	size_t i;

	for (i = 0; i < curve->count; i++) {
		start = curve->start_usec[i] + cursor->shift_usec;
		if (start < last)
			break;
		last = start;
	}
	if (i == curve->count)
		return 0;
	cursor->places = calloc(curve->count, sizeof(*cursor->places));
	if (!cursor->places)
		return -1;
	for (i = 0; i < curve->count; i++)
		cursor->places[i] = (struct place){
			curve->start_usec[i] + cursor->shift_usec, i };
	qsort(cursor->places, curve->count, sizeof(*cursor->places), compare);
	return 0;
}

/* Move the cursor at index down to its place in the heap. */
static void sink(struct edges *edges, size_t index)
{
	struct cursor *items = edges->items, moved = items[index];
	size_t child;

	for (; (child = 2 * index + 1) < edges->count; index = child) {
		if (child + 1 < edges->count &&
		    is_before(&items[child + 1], &items[child]))
			child++;
		if (!is_before(&items[child], &moved))
			break;
		items[index] = items[child];
	}
	items[index] = moved;
}

static int open_edges(struct edges *edges,
		      const struct sw_curve *const *curves,
		      const uint64_t *shift_usec, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct cursor *cursor = &edges->items[edges->count];

		*cursor = (struct cursor){
			.curve = curves[i], .number = i,
			.shift_usec = shift_usec ? shift_usec[i] : 0,
		};
		if (find_places(cursor) < 0)
			return -1;
		if (go_to_start(cursor))
			edges->count++;
		else
			free(cursor->places);
	}
	for (i = edges->count / 2; i-- > 0;)
		sink(edges, i);
	return 0;
}

static void close_edges(struct edges *edges)
{
	while (edges->count)
		free(edges->items[--edges->count].places);
	free(edges->items);
}

/* Replace the first edge by its curve's next one. */
static void next_edge(struct edges *edges)
{
	if (!advance(&edges->items[0])) {
		free(edges->items[0].places);
		edges->items[0] = edges->items[--edges->count];
	}
	if (edges->count > 1)
		sink(edges, 0);
}

/* Make an interval from each edge to the next; NAN without any curve. */
static void sweep(struct sw_curve *sum, struct edges *edges)
{
	double value = 0;
	uint64_t usec;
	int running = 0;

	while (edges->count) {
		running += edges->items[0].running;
		/* Rounding errors must not outlast the summands. */
		value = running ? value + edges->items[0].change : 0;
		usec = edges->items[0].usec;
		next_edge(edges);
		if (!edges->count || edges->items[0].usec <= usec)
			continue;
		sum->start_usec[sum->count] = usec;
		sum->end_usec[sum->count] = edges->items[0].usec;
		sum->value[sum->count++] = running ? fmax(value, 0) : NAN;
	}
}

/* Is the curve its own sum: without gaps, and not moved? */
static bool is_plain(const struct sw_curve *curve, uint64_t shift_usec)
{
	size_t i;

	for (i = 0; i < curve->count; i++) {
		if (!(curve->value[i] >= 0) ||
		    curve->end_usec[i] <= curve->start_usec[i] ||
		    (i && curve->start_usec[i] != curve->end_usec[i - 1]))
			return false;
	}
	return shift_usec == 0;
}

int sw_curve_sum(struct sw_curve *sum, const struct sw_curve *const *curves,
		 const uint64_t *shift_usec, size_t count)
{
	struct edges edges = { NULL, 0 };
	size_t i, rows = 0;
	int rc = -1;

	if (count == 1 && is_plain(curves[0], shift_usec ? shift_usec[0] : 0)) {
		*sum = *curves[0];
		sum->is_shared = true;
		sw_curve_summarise(sum);
		return 0;
	}
	for (i = 0; i < count; i++)
		rows += 2 * curves[i]->count;
	edges.items = calloc(count ? count : 1, sizeof(*edges.items));
	if (edges.items && sw_curve_reserve(sum, rows) == 0) {
		rc = open_edges(&edges, curves, shift_usec, count);
		if (rc == 0)
			sweep(sum, &edges);
		else
			sw_curve_fini(sum);
	}
	close_edges(&edges);
	if (rc < 0)
		errno = ENOMEM;
	else
		sw_curve_summarise(sum);
	return rc;
}

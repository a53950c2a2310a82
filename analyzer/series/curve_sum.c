/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sum curves over time. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/series/series.h"

/* Start or end of an interval. */
struct edge {
	uint64_t usec;
	double change;
	int running;	/* +1 or -1 */
};

static int compare(const void *a, const void *b)
{
	const struct edge *one = a, *two = b;

	if (one->usec != two->usec)
		return one->usec < two->usec ? -1 : 1;
	return one->running - two->running;
}

static bool is_in_order(const struct edge *edges, size_t count)
{
	size_t i;

	for (i = 1; i < count; i++) {
		if (compare(&edges[i - 1], &edges[i]) > 0)
			return false;
	}
	return true;
}

static size_t put_edges(struct edge *edges, const struct sw_curve *curve,
			uint64_t shift_usec)
{
	size_t i, used = 0;

	for (i = 0; i < curve->count; i++) {
		if (isnan(curve->value[i]) ||
		    curve->end_usec[i] <= curve->start_usec[i])
			continue;
		edges[used++] = (struct edge){
			curve->start_usec[i] + shift_usec, curve->value[i], 1,
		};
		edges[used++] = (struct edge){
			curve->end_usec[i] + shift_usec, -curve->value[i], -1,
		};
	}
	return used;
}

/* Merge two adjacent sorted runs of edges. */
static void merge(struct edge *to, const struct edge *from,
		  const size_t end[2])
{
	const struct edge *left = from, *left_end = from + end[0];
	const struct edge *right = left_end, *right_end = from + end[1];

	while (left < left_end && right < right_end)
		*to++ = compare(right, left) < 0 ? *right++ : *left++;
	memcpy(to, left, (size_t)(left_end - left) * sizeof(*to));
	to += left_end - left;
	memcpy(to, right, (size_t)(right_end - right) * sizeof(*to));
}

/*
 * Merge sorted runs; ends[] is modified.  Return the array with the result,
 * edges or other.
 */
static struct edge *merge_runs(struct edge *edges, struct edge *other,
			       size_t *ends, size_t runs)
{
	size_t i, begin, kept;
	struct edge *from;

	for (; runs > 1; runs = kept) {
		for (i = kept = begin = 0; i < runs; i += 2, kept++) {
			size_t last = i + 1 < runs ? i + 1 : i;
			size_t end[2] = { ends[i] - begin, ends[last] - begin };

			merge(other + begin, edges + begin, end);
			begin = ends[kept] = ends[last];
		}
		from = edges;
		edges = other;
		other = from;
	}
	return edges;
}

/* Make an interval from each edge to the next; NAN without any curve. */
static void sweep(struct sw_curve *sum, const struct edge *edges, size_t count)
{
	double value = 0;
	int running = 0;
	size_t i;

	for (i = 0; i + 1 < count; i++) {
		running += edges[i].running;
		/* Rounding errors must not outlast the summands. */
		value = running ? value + edges[i].change : 0;
		if (edges[i].usec == edges[i + 1].usec)
			continue;
		sum->start_usec[sum->count] = edges[i].usec;
		sum->end_usec[sum->count] = edges[i + 1].usec;
		sum->value[sum->count++] = running ? fmax(value, 0) : NAN;
	}
}

/* Sort all edges; those of each curve are sorted.  NULL: out of memory. */
static struct edge *sort_edges(struct edge *edges, struct edge *other,
			       const struct sw_curve *const *curves,
			       const uint64_t *shift_usec, size_t count,
			       size_t *used)
{
	size_t *ends = calloc(count + 1, sizeof(*ends));
	size_t i, begin;

	if (!ends)
		return NULL;
	for (i = 0, *used = 0; i < count; i++) {
		begin = *used;
		*used += put_edges(edges + begin, curves[i],
				   shift_usec ? shift_usec[i] : 0);
		ends[i] = *used;
		if (!is_in_order(edges + begin, *used - begin))
			qsort(edges + begin, *used - begin, sizeof(*edges),
			      compare);
	}
	edges = merge_runs(edges, other, ends, count);
	free(ends);
	return edges;
}

int sw_curve_sum(struct sw_curve *sum, const struct sw_curve *const *curves,
		 const uint64_t *shift_usec, size_t count)
{
	size_t i, rows = 0, used = 0;
	struct edge *edges, *sorted = NULL;

	for (i = 0; i < count; i++)
		rows += 2 * curves[i]->count;
	/* The second half is for sorting. */
	edges = reallocarray(NULL, rows ? 2 * rows : 1, sizeof(*edges));
	if (edges && sw_curve_reserve(sum, rows) == 0)
		sorted = sort_edges(edges, edges + rows, curves, shift_usec,
				    count, &used);
	if (!sorted) {
		free(edges);
		errno = ENOMEM;
		return -1;
	}
	sweep(sum, sorted, used);
	free(edges);
	sw_curve_summarise(sum);
	return 0;
}

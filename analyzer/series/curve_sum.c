/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Curves added up by time. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/series/series.h"

/* An interval begins or ends. */
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

/* As those of a single curve are. */
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

/* From each edge to the next; NAN where no curve has a value. */
static void sweep(struct sw_curve *sum, const struct edge *edges, size_t count)
{
	double value = 0;
	int running = 0;
	size_t i;

	for (i = 0; i + 1 < count; i++) {
		running += edges[i].running;
		/* Rounding must not outlive what was added. */
		value = running ? value + edges[i].change : 0;
		if (edges[i].usec == edges[i + 1].usec)
			continue;
		sum->start_usec[sum->count] = edges[i].usec;
		sum->end_usec[sum->count] = edges[i + 1].usec;
		sum->value[sum->count++] = running ? fmax(value, 0) : NAN;
	}
}

int sw_curve_sum(struct sw_curve *sum, const struct sw_curve *const *curves,
		 const uint64_t *shift_usec, size_t count)
{
	size_t i, rows = 0, used = 0;
	struct edge *edges;

	for (i = 0; i < count; i++)
		rows += 2 * curves[i]->count;
	edges = calloc(rows ? rows : 1, sizeof(*edges));
	if (!edges || sw_curve_reserve(sum, rows) < 0) {
		free(edges);
		errno = ENOMEM;
		return -1;
	}
	for (i = 0; i < count; i++)
		used += put_edges(edges + used, curves[i],
				  shift_usec ? shift_usec[i] : 0);
	if (!is_in_order(edges, used))
		qsort(edges, used, sizeof(*edges), compare);
	sweep(sum, edges, used);
	free(edges);
	sw_curve_summarise(sum);
	return 0;
}

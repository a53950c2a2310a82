/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Witt's low-wastage regression, trained again as runs end: the line over input
 * sizes that would have wasted least in the past, retries by doubling included.
 * Without input sizes a constant, chosen likewise.
 */
#include <math.h>
#include <stdlib.h>

#include "advice/low_wastage.h"
#include "advice/methods.h"
#include "common/grow.h"

/*
 * Fit the line again when one in 16 runs is new, to at most POINTS_MAX runs
 * spread evenly over the past: a search evaluates all of them 500 times.
 */
enum { NEW_ONE_IN = 16, POINTS_MAX = 512 };

struct points {
	struct sw_point *items;
	size_t count;
	struct sw_line line;
	size_t fit_count;
	double total_seconds;
};

struct group {
	struct points with_input, without;
};

static void fini(void *opaque)
{
	struct group *group = opaque;

	free(group->with_input.items);
	free(group->without.items);
}

static int add(struct points *points, double x, const struct sw_run *run)
{
	double seconds = run->elapsed_seconds > 0 ? run->elapsed_seconds : 0;

	if (sw_grow(&points->items, points->count, sizeof(*points->items)) < 0)
		return -1;
	points->items[points->count++] = (struct sw_point){
		x, run->need_bytes, seconds };
	points->total_seconds += seconds;
	return 0;
}

static int learn(void *opaque, struct sw_memory_site *site,
		 const struct sw_run *run)
{
	struct group *group = opaque;

	(void)site;
	if (!isnan(run->input_bytes) &&
	    add(&group->with_input, run->input_bytes, run) < 0)
		return -1;
	return add(&group->without, 0, run);
}

/* Fit the line; if out of memory keep the last one. */
static void fit(const struct sw_policy *policy, struct points *points)
{
	struct sw_point chosen[POINTS_MAX];
	struct sw_low_wastage runs = {
		.points = chosen,
		.count = points->count < POINTS_MAX ? points->count :
						      POINTS_MAX,
		.floor_bytes = policy->floor_bytes,
		.time_to_failure = policy->time_to_failure,
	};
	size_t i;

	for (i = 0; i < runs.count; i++) {
		/* The selection always includes the last run. */
		chosen[i] = points->items[(i + 1) * points->count /
					  runs.count - 1];
		/* If no run has a time, all have the same weight. */
		if (!(points->total_seconds > 0))
			chosen[i].seconds = 1;
	}
	if (sw_low_wastage_fit(&runs, &points->line) == 0)
		points->fit_count = points->count;
}

static double ask(void *opaque, const struct sw_asking *asking)
{
	struct group *group = opaque;
	struct points *points;
	double x = 0;

	if (!group->without.count)
		return NAN;
	points = &group->without;
	if (!isnan(asking->query->input_bytes) && group->with_input.count) {
		points = &group->with_input;
		x = asking->query->input_bytes;
	}
	if (points->count >
	    points->fit_count + points->fit_count / NEW_ONE_IN)
		fit(asking->site->policy, points);
	return fmax(sw_line_at(&points->line, x),
		    asking->site->policy->floor_bytes);
}

const struct sw_method sw_method_witt_wastage = {
	.name = "witt_wastage",
	.title = "Witt: line of least wastage",
	.source = "Witt, van Santen, Leser: Learning low-wastage memory "
		  "allocations for scientific workflows at IceCube, HPCS 2019",
	.group_size = sizeof(struct group),
	.fini = fini,
	.learn = learn,
	.ask = ask,
};

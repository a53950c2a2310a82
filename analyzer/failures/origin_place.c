/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other things at the place of the failed run, against those elsewhere. */
#include <math.h>
#include <stdlib.h>

#include "analyzer/failures/origin_tests.h"

/* The state of a node a day earlier or later says nothing. */
#define PLACE_WITHIN_SECONDS 86400.0

/*
 * Start times within about_same_time_seconds are about the same; where runs are
 * rarer, longer intervals, until four of them are in each.
 */
static double stratum_seconds(const struct sw_origin_unit *const *units,
			      size_t count)
{
	enum { RUNS = 4 };
	double seconds = (double)sw_failure_defaults.about_same_time_seconds;
	size_t i, strata;

	for (; seconds < PLACE_WITHIN_SECONDS / 4; seconds *= 2) {
		for (i = strata = 0; i < count; i++)
			strata += i == 0 ||
				  floor(units[i]->start / seconds) !=
					  floor(units[i - 1]->start / seconds);
		if (count >= RUNS * strata)
			break;
	}
	return seconds;
}

/* Runs of other things to compare: those at the place, and at others. */
struct pool {
	const struct sw_origin_unit **units;
	size_t count;
	struct sw_stratum *strata;
	size_t strata_count;
	const struct sw_origin_unit *own;
	enum sw_origin_place place;
};

static void fill_pool(struct pool *pool, const struct sw_origin_units *units)
{
	const struct sw_origin_unit *own = &units->own;
	size_t i;

	pool->own = own;
	for (i = 0; i < units->other_count; i++) {
		const struct sw_origin_unit *unit = &units->others[i];

		if (sw_is_missing(unit->place[pool->place]) ||
		    fabs(unit->start - own->start) > PLACE_WITHIN_SECONDS)
			continue;
		/* What the node explains is no evidence for its kind. */
		if (pool->place != SW_ORIGIN_ON_NODE &&
		    !sw_origin_is_apart(unit, own, SW_ORIGIN_ON_NODE))
			continue;
		pool->units[pool->count++] = unit;
	}
}

static void fill_strata(struct pool *pool)
{
	double seconds = stratum_seconds(pool->units, pool->count);
	double time = NAN;
	size_t i;

	for (i = 0; i < pool->count; i++) {
		const struct sw_origin_unit *unit = pool->units[i];
		struct sw_stratum *stratum;

		if (floor(unit->start / seconds) != time) {
			time = floor(unit->start / seconds);
			pool->strata[pool->strata_count++] =
				(struct sw_stratum){ 0 };
		}
		stratum = &pool->strata[pool->strata_count - 1];
		stratum->jobs += unit->count;
		if (unit->has_failed)
			stratum->failures += unit->count;
		if (!sw_origin_is_at(unit, pool->own, pool->place))
			continue;
		stratum->node_jobs += unit->count;
		if (unit->has_failed)
			stratum->node_failures += unit->count;
	}
}

/* Likewise with as many of the failures there as could be. */
static bool is_place_possible(const struct pool *pool)
{
	struct sw_stratum *most = calloc(pool->strata_count + 1, sizeof(*most));
	uint64_t failed = 0;
	bool is_possible;
	size_t i;

	for (i = 0; most && i < pool->strata_count; i++) {
		most[i] = pool->strata[i];
		most[i].node_failures = most[i].failures < most[i].node_jobs
						? most[i].failures
						: most[i].node_jobs;
		failed += most[i].node_failures;
	}
	is_possible = most && failed >= 2 &&
		      sw_strata_chance(most, pool->strata_count) <=
			      SW_ORIGIN_CHANCE_MAX;
	free(most);
	return is_possible;
}

/*
 * Count the times with failures there, with that of the failed run; bad jobs of
 * one batch may have come to a node because they started together.
 */
static uint64_t times_of(const struct pool *pool)
{
	double gap = (double)sw_failure_defaults.about_same_time_seconds;
	double last = -INFINITY;
	bool has_own = false;
	uint64_t times = 0;
	size_t i;

	for (i = 0; i < pool->count; i++) {
		const struct sw_origin_unit *unit = pool->units[i];

		if (!unit->has_failed ||
		    !sw_origin_is_at(unit, pool->own, pool->place) ||
		    unit->start - last < gap)
			continue;
		last = unit->start;
		has_own = has_own || fabs(last - pool->own->start) < gap;
		times++;
	}
	return times + !has_own;
}

/* At all but one of them, others elsewhere did not fail. */
static bool is_at_times(const struct pool *pool)
{
	uint64_t least = sw_failure_defaults.node_times_min;

	return times_of(pool) >= least &&
	       sw_strata_telling(pool->strata, pool->strata_count) + 1 >= least;
}

/* True if something that failed there succeeded elsewhere afterwards. */
static bool has_moved(const struct pool *pool,
		      const struct sw_origin_streak *streak)
{
	size_t i, j;

	if (streak->recovery &&
	    sw_origin_is_apart(streak->recovery, pool->own, pool->place))
		return true;
	for (i = 0; i < pool->count; i++) {
		const struct sw_origin_unit *unit = pool->units[i];

		if (!unit->has_failed ||
		    !sw_origin_is_at(unit, pool->own, pool->place))
			continue;
		for (j = i + 1; j < pool->count; j++) {
			if (!pool->units[j]->has_failed &&
			    pool->units[j]->thing == unit->thing &&
			    sw_origin_is_apart(pool->units[j], unit,
					       pool->place))
				return true;
		}
	}
	return false;
}

/* Count runs since the first failure there. */
static void count_place(const struct pool *pool, struct sw_origin_count *here,
			struct sw_origin_count *elsewhere)
{
	double first = pool->own->start;
	size_t i;

	*here = *elsewhere = (struct sw_origin_count){ 0 };
	for (i = 0; i < pool->count; i++) {
		if (pool->units[i]->has_failed &&
		    sw_origin_is_at(pool->units[i], pool->own, pool->place))
			first = fmin(first, pool->units[i]->start);
	}
	for (i = 0; i < pool->count; i++) {
		const struct sw_origin_unit *unit = pool->units[i];

		if (unit->start < first - SW_ORIGIN_SAME_TIME_SECONDS)
			continue;
		sw_origin_add(sw_origin_is_at(unit, pool->own, pool->place)
				      ? here
				      : elsewhere,
			      unit);
	}
}

static void judge_place(struct sw_origin_test *test, const struct pool *pool,
			const struct sw_origin_streak *streak,
			const struct sw_origin_count *here)
{
	bool is_moved = has_moved(pool, streak);
	uint64_t least = sw_failure_defaults.node_failures_min - 1;

	test->is_possible = is_place_possible(pool);
	test->p = sw_strata_chance(pool->strata, pool->strata_count);
	test->is_met =
		here->failed >= (is_moved ? 1 : least) &&
		sw_origin_rate(here) >= SW_ORIGIN_LIKELY_RATIO &&
		(is_moved || is_at_times(pool)) &&
		(!streak->recovery ||
		 sw_origin_is_apart(streak->recovery, pool->own, pool->place));
	test->is_likely =
		here->failed && sw_origin_rate(here) >= SW_ORIGIN_LIKELY_RATIO;
}

int sw_origin_test_place(struct sw_origin_test *test,
			 const struct sw_origin_units *units,
			 const struct sw_origin_streak *streak,
			 enum sw_origin_place place, struct sw_origin *origin)
{
	struct pool pool = {
		.units = calloc(units->other_count + 1, sizeof(*pool.units)),
		.strata = calloc(units->other_count + 1, sizeof(*pool.strata)),
		.place = place,
	};
	int rc = pool.units && pool.strata ? 0 : -1;

	*test = (struct sw_origin_test){ .p = 1 };
	if (rc == 0 && !sw_is_missing(units->own.place[place])) {
		fill_pool(&pool, units);
		fill_strata(&pool);
		count_place(&pool, &origin->here, &origin->elsewhere);
		judge_place(test, &pool, streak, &origin->here);
	}
	free(pool.units);
	free(pool.strata);
	return rc;
}

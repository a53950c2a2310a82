/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attempts at the same thing against others, and others by time. */
#include "analyzer/failures/origin_tests.h"

#include <math.h>

#include "analyzer/compare/chance.h"

/* Others that started since the first failure need to contradict as well. */
#define RECENT_CHANCE_MAX 0.1
#define PROGRAM_RATE	  0.75

enum { PROGRAM_FAILURES_MIN = 3, PROGRAM_NODES_MIN = 2 };

static double chance(const struct sw_origin_count *in,
		     const struct sw_origin_count *rest)
{
	return sw_chance_failures((double)in->failed, (double)in->of,
				  (double)rest->failed, (double)rest->of);
}

/* True if p could be small enough if all failures were in one of them. */
static bool is_possible(const struct sw_origin_count *in,
			const struct sw_origin_count *rest)
{
	uint64_t failed = in->failed + rest->failed;
	struct sw_origin_count most = *in, least = *rest;

	most.failed = failed < in->of ? failed : in->of;
	least.failed = failed - most.failed;
	return most.failed && chance(&most, &least) <= SW_ORIGIN_CHANCE_MAX;
}

/* Index of the first attempt after the last success before the failed run. */
static size_t streak_begin(const struct sw_origin_units *units)
{
	size_t i, begin = 0;

	for (i = 0; i < units->same_count; i++) {
		if (!units->same[i].has_failed &&
		    units->same[i].start <= units->own.start)
			begin = i + 1;
	}
	return begin;
}

static bool is_new_node(const struct sw_origin_units *units, size_t begin,
			size_t at)
{
	const struct sw_origin_unit *unit = &units->same[at];
	size_t i;

	if (sw_is_missing(unit->place[SW_ORIGIN_ON_NODE]) ||
	    sw_origin_is_at(unit, &units->own, SW_ORIGIN_ON_NODE))
		return false;
	for (i = begin; i < at; i++) {
		if (sw_origin_is_at(unit, &units->same[i], SW_ORIGIN_ON_NODE))
			return false;
	}
	return true;
}

struct sw_origin_streak sw_origin_streak(const struct sw_origin_units *units)
{
	const struct sw_origin_unit *own = &units->own, *unit;
	struct sw_origin_streak streak = {
		.first = own->start,
		.last = own->start,
		.nodes = !sw_is_missing(own->place[SW_ORIGIN_ON_NODE]),
	};
	size_t i, begin = streak_begin(units);
	enum sw_origin_place place;
	bool is_known = streak.nodes > 0;

	for (i = begin; i < units->same_count; i++) {
		unit = &units->same[i];
		if (!unit->has_failed) {
			streak.recovery = unit;
			break;
		}
		streak.first = fmin(streak.first, unit->start);
		streak.last = fmax(streak.last, unit->start);
		streak.again += unit->count;
		streak.nodes += is_new_node(units, begin, i);
		is_known &= !sw_is_missing(unit->place[SW_ORIGIN_ON_NODE]);
		for (place = 0; place < SW_ORIGIN_PLACES; place++) {
			if (sw_origin_is_apart(unit, own, place))
				streak.again_at_other[place] += unit->count;
		}
	}
	if (!is_known)
		streak.nodes = 0;
	return streak;
}

/* Other things that started in an interval, at a place if one is given. */
static struct sw_origin_count
others_between(const struct sw_origin_units *units, double from, double to,
	       const struct sw_origin_unit *at)
{
	struct sw_origin_count count = { 0 };
	size_t i;

	for (i = 0; i < units->other_count; i++) {
		const struct sw_origin_unit *unit = &units->others[i];

		if (unit->start >= from && unit->start <= to &&
		    (!at || sw_origin_is_at(unit, at, SW_ORIGIN_ON_NODE)))
			sw_origin_add(&count, unit);
	}
	return count;
}

/*
 * Its node is no explanation if the thing failed on others, or other things
 * succeeded there.  Without any node, others have to have run between the
 * attempts: a scheduler may give a retry the same node.
 */
static bool is_not_node(const struct sw_origin_units *units,
			const struct sw_origin_streak *streak,
			const struct sw_origin_count *again)
{
	struct sw_origin_count here;

	if (streak->again_at_other[SW_ORIGIN_ON_NODE])
		return true;
	if (streak->nodes == 0)
		return streak->again >= 2;
	here = others_between(units,
			      streak->first - SW_ORIGIN_SAME_TIME_SECONDS,
			      INFINITY, &units->own);
	return chance(again, &here) <= RECENT_CHANCE_MAX;
}

struct sw_origin_test
sw_origin_test_input(const struct sw_origin_units *units,
		     const struct sw_origin_streak *streak,
		     struct sw_origin *origin)
{
	const struct sw_origin_count again = { streak->again, streak->again };
	struct sw_origin_count all =
		others_between(units, -INFINITY, INFINITY, NULL);
	struct sw_origin_count recent = others_between(
		units, streak->first - SW_ORIGIN_SAME_TIME_SECONDS, INFINITY,
		NULL);
	struct sw_origin_test test = { .p = 1 };

	origin->attempts = (struct sw_origin_count){ streak->again + 1,
						     streak->again + 1 };
	origin->attempts.of += streak->recovery != NULL;
	origin->attempt_nodes = streak->nodes;
	origin->others = recent;
	if (!streak->again)
		return test;
	/* What fails in several ways by itself fails in the same way twice. */
	all.failed += units->unalike;
	all.of += units->unalike;
	if (streak->nodes == 0)
		recent = others_between(
			units, streak->first - SW_ORIGIN_SAME_TIME_SECONDS,
			streak->last, NULL);
	test.is_possible = is_possible(&again, &all);
	test.p = chance(&again, &all);
	test.is_met = !streak->recovery && is_not_node(units, streak, &again) &&
		      chance(&again, &recent) <= RECENT_CHANCE_MAX;
	test.is_likely =
		!streak->recovery && streak->again_at_other[SW_ORIGIN_ON_NODE];
	return test;
}

/*
 * Runs of other things that were not on its node, as far as known.  What goes
 * on failing is no new failure of the program.
 */
static bool is_elsewhere(const struct sw_origin_units *units,
			 const struct sw_origin_unit *unit)
{
	return !unit->is_retry &&
	       !sw_origin_is_at(unit, &units->own, SW_ORIGIN_ON_NODE);
}

static void count_since(const struct sw_origin_units *units, double since,
			struct sw_origin_count *before,
			struct sw_origin_count *after)
{
	size_t i;

	*before = *after = (struct sw_origin_count){ 0 };
	for (i = 0; i < units->other_count; i++) {
		const struct sw_origin_unit *unit = &units->others[i];

		if (is_elsewhere(units, unit))
			sw_origin_add(unit->start < since ? before : after,
				      unit);
	}
}

/* Different things that failed since then, and known nodes. */
static uint64_t things_since(const struct sw_origin_units *units, double since,
			     uint64_t *nodes)
{
	const struct sw_origin_unit *other = units->others;
	uint64_t things = 0;
	size_t i, j;
	bool is_new, is_new_node;

	*nodes = !sw_is_missing(units->own.place[SW_ORIGIN_ON_NODE]);
	for (i = 0; i < units->other_count; i++) {
		if (!other[i].has_failed || other[i].start < since ||
		    !is_elsewhere(units, &other[i]))
			continue;
		is_new = true;
		is_new_node = !sw_is_missing(other[i].place[SW_ORIGIN_ON_NODE]);
		for (j = 0; j < i; j++) {
			if (!other[j].has_failed || other[j].start < since ||
			    !is_elsewhere(units, &other[j]))
				continue;
			is_new = is_new && other[j].thing != other[i].thing;
			is_new_node = is_new_node &&
				      !sw_origin_is_at(&other[i], &other[j],
						       SW_ORIGIN_ON_NODE);
		}
		things += is_new;
		*nodes += is_new_node;
	}
	return things;
}

/* Set the time whose counts are the least likely; return the candidates. */
static size_t find_since(const struct sw_origin_units *units,
			 struct sw_origin *origin, double *least)
{
	struct sw_origin_count before, since;
	size_t i, candidates = 0;
	double p;

	*least = 1;
	for (i = 0; i < units->other_count; i++) {
		const struct sw_origin_unit *unit = &units->others[i];

		if (!unit->has_failed || unit->start > units->own.start ||
		    !is_elsewhere(units, unit))
			continue;
		candidates++;
		count_since(units, unit->start, &before, &since);
		p = chance(&since, &before);
		if (p >= *least)
			continue;
		*least = p;
		origin->before = before;
		origin->since = since;
		origin->since_seconds = unit->start;
	}
	return candidates;
}

struct sw_origin_test
sw_origin_test_program(const struct sw_origin_units *units,
		       struct sw_origin *origin)
{
	struct sw_origin_test test = { .p = 1 };
	size_t candidates = find_since(units, origin, &test.p);
	uint64_t things;

	if (isnan(origin->since_seconds))
		return test;
	things = things_since(units, origin->since_seconds,
			      &origin->since_nodes);
	test.is_possible = origin->since.failed + origin->before.failed >=
			   PROGRAM_FAILURES_MIN;
	test.p = fmin(1, test.p * (double)candidates);
	test.is_likely = things >= PROGRAM_FAILURES_MIN &&
			 sw_origin_rate(&origin->since) >= PROGRAM_RATE;
	test.is_met =
		test.is_likely && origin->since_nodes >= PROGRAM_NODES_MIN;
	return test;
}

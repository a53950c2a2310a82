/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the bounds of a request. */
#include "advice/memory_bounds.h"

#include <math.h>

#include "advice/memory_risk.h"
#include "common/units.h"

/*
 * A run that needed more than this share of a request came close to it: after
 * sixteen or more runs, the next one needs a tenth more than the largest once
 * in a hundred times ("tovar" and "wfinstances").
 */
static const double close_to = 0.9;

/*
 * Doubling reaches a need of which only a lower bound is known with at most
 * twice of it requested.
 */
static const double step_up = 2;

/*
 * Largest margin above all needs, as a factor plus an amount that every node
 * has, if no run was killed and no request is known to have been enough: with
 * less, runs fail more often on "wfinstances" and "mgnify_metaspades".
 */
static const double furthest = 4;
static const double furthest_bytes = (double)SW_GIB;

/*
 * A run killed with this many times the need of any other run of such an input
 * is an outlier; chosen by hand as one step up beyond the largest.
 */
static const double far_above = 2;

/* Share of kills that may be disregarded. */
static const double rare[] = {
	[SW_RISK_LOW] = 0.02,
	[SW_RISK_MEDIUM] = 0.05,
	[SW_RISK_HIGH] = 0.10,
};

/* Summary of the past that is relevant to a query. */
struct shown {
	double largest_need;	/* measured */
	double largest_input;	/* of runs that ended */
	double least_request;	/* of successful runs; INFINITY */
	double killed;		/* most that was not enough; 0: none */
	double killed_input;	/* input of that run */
	double recent_need;	/* of the newest 1 / rare[risk] runs */
	size_t runs, kills;	/* kills: above all measured needs */
	bool is_any_killed;
};

static void see_ended(struct shown *shown, const struct sw_memory_run *run)
{
	shown->largest_need = fmax(shown->largest_need, run->seen_bytes);
	shown->largest_input = fmax(shown->largest_input, run->input_bytes);
	shown->least_request = fmin(shown->least_request, run->enough_bytes);
}

/* A killed run with a larger input does not count for this query. */
static void see_killed(struct shown *shown, const struct sw_memory_run *run,
		       const struct sw_query *query)
{
	shown->is_any_killed = true;
	if (run->input_bytes > query->input_bytes ||
	    run->seen_bytes < shown->killed)
		return;
	shown->killed = run->seen_bytes;
	shown->killed_input = run->input_bytes;
}

static struct shown see(const struct sw_memory_past *past,
			const struct sw_policy *policy,
			const struct sw_query *query)
{
	const double recent = 1 / rare[policy->risk];
	struct shown shown = { .least_request = INFINITY };
	size_t first = sw_memory_view_first(&past->now), i;

	for (i = first; i < past->now.count; i++) {
		const struct sw_memory_run *run = sw_memory_past_run(past, i);

		if (run->had_too_little)
			see_killed(&shown, run, query);
		else
			see_ended(&shown, run);
		if (!run->had_too_little &&
		    (double)(past->now.count - i) <= recent)
			shown.recent_need = fmax(shown.recent_need,
						 run->seen_bytes);
	}
	shown.runs = past->now.count - first;
	for (i = first; i < past->now.count; i++) {
		const struct sw_memory_run *run = sw_memory_past_run(past, i);

		shown.kills += run->had_too_little &&
			run->seen_bytes > shown.largest_need;
	}
	return shown;
}

/*
 * Return the least request above what was not enough with which a run
 * succeeded.
 */
static double find_proven(const struct sw_memory_past *past,
			  const struct sw_query *query, double killed)
{
	double least = INFINITY;
	size_t i;

	for (i = sw_memory_view_first(&past->now); i < past->now.count; i++) {
		const struct sw_memory_run *run = sw_memory_past_run(past, i);

		if (run->had_too_little || !(run->enough_bytes > killed) ||
		    run->input_bytes < query->input_bytes)
			continue;
		least = fmin(least, run->enough_bytes);
	}
	return least;
}

/* Is it far above what is expected with such an input? */
static bool is_unseen(const struct shown *shown)
{
	double grown = 1;

	if (shown->largest_input > 0 &&
	    shown->killed_input > shown->largest_input)
		grown = shown->killed_input / shown->largest_input;
	return shown->killed > far_above * grown * shown->largest_need;
}

static bool is_rare(const struct shown *shown, enum sw_risk risk)
{
	return (double)shown->kills + 1 <=
		rare[risk] * ((double)shown->runs + 1);
}

static void bound_killed(struct sw_memory_bounds *bounds,
			 const struct shown *shown,
			 const struct sw_memory_past *past,
			 const struct sw_policy *policy,
			 const struct sw_query *query)
{
	double proven = find_proven(past, query, shown->killed);
	double known = fmax(shown->largest_need, shown->killed);

	if (isfinite(proven)) {
		bounds->proven_bytes = proven;
		bounds->most = fmin(bounds->most,
				    fmax(proven, policy->retry_factor * known));
	}
	if (!(shown->killed > shown->largest_need) ||
	    is_rare(shown, policy->risk))
		return;
	if (policy->risk == SW_RISK_LOW)
		bounds->least = fmin(policy->retry_factor * shown->killed,
				     proven);
	if (is_unseen(shown)) {
		bounds->unseen_bytes = shown->killed;
		bounds->least = fmin(step_up * shown->killed, proven);
	}
}

/* No run was killed: keep what was enough, unless one came close to it. */
static void bound_enough(struct sw_memory_bounds *bounds,
			 const struct shown *shown,
			 const struct sw_policy *policy, double request,
			 double beyond)
{
	if (!(shown->least_request <= request))
		return;
	/* As for the stated risk, needs grow with the root of the input. */
	if (shown->largest_need * sqrt(beyond) <= close_to * request)
		bounds->most = request;
	else
		bounds->most = fmax(request, policy->retry_factor * beyond *
				    shown->largest_need);
}

void sw_memory_bounds_find(struct sw_memory_bounds *bounds,
			   const struct sw_memory_past *past,
			   const struct sw_policy *policy,
			   const struct sw_query *query, double request)
{
	const struct shown shown = see(past, policy, query);
	double beyond = sw_memory_beyond_input(&past->now, query->input_bytes);
	double known = fmax(shown.largest_need, shown.killed);

	*bounds = (struct sw_memory_bounds){ .most = INFINITY };
	if (!(known > 0))
		return;
	bounds->most = shown.is_any_killed ? step_up * beyond * known :
		furthest * beyond * known + furthest_bytes;
	if (policy->risk == SW_RISK_LOW && isnan(query->input_bytes))
		bounds->least = shown.recent_need;
	if (shown.killed > 0)
		bound_killed(bounds, &shown, past, policy, query);
	else if (!shown.is_any_killed)
		bound_enough(bounds, &shown, policy, request, beyond);
	bounds->most = fmax(bounds->most, bounds->least);
}

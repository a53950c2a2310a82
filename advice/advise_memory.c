/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advise the memory for each node that would have cost least so far, by the
 * same method as in the backtest (memory_group.h): learned from the runs of one
 * group and evaluated on them by the same replay.
 *
 * No advice with fewer runs than the policy requires, if needs differ by orders
 * of magnitude for no known reason, or if they keep growing.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "advice/advise_memory.h"
#include "advice/advisors.h"
#include "advice/replay.h"
#include "advice/text.h"
#include "advice/whole.h"
#include "common/units.h"

/*
 * A saving below this is not worth a changed script, nor are the small changes
 * that each new run makes to a small request.
 */
static const double least_gain = 0.9;
static const double least_gain_bytes = 32 * (double)SW_MIB;

/* A request that was enough so far may stay if its risk is not above this. */
static const double risks[] = {
	[SW_RISK_LOW] = 0.02,
	[SW_RISK_MEDIUM] = 0.05,
	[SW_RISK_HIGH] = 0.10,
};

/* Limit of retries if no request and no node is known. */
static const double furthest_retry = 4;

/*
 * Step up after a kill if nothing larger is known: doubling reaches a need of
 * which only a lower bound is known with at most twice of it requested.
 */
static const double step_up = 2;

/* 95th to 5th percentile of need to prediction: two orders of magnitude. */
static const double widest_spread = 100;

static double round_up(double bytes)
{
	return ceil(bytes / (double)SW_MIB - 1e-9) * (double)SW_MIB;
}

/*
 * Return what can be requested: whole MiB, and no more than a node has.  The
 * floor does not raise a request that was enough.
 */
static double askable(const struct sw_memory_question *question, double bytes,
		      double current)
{
	const struct sw_policy *policy = question->policy;
	double floor_bytes = policy->floor_bytes;

	if (bytes <= current)
		floor_bytes = fmin(floor_bytes, current);
	bytes = round_up(fmax(bytes, floor_bytes));
	if (policy->cap_bytes > 0 && bytes > policy->cap_bytes)
		bytes = floor(policy->cap_bytes / (double)SW_MIB) *
			(double)SW_MIB;
	return bytes;
}

static bool is_killed(const struct sw_run *run)
{
	return run->is_lower_bound && run->need_bytes > 0 &&
		isfinite(run->need_bytes);
}

static void look(struct sw_memory_question *question,
		 const struct sw_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct sw_run *run = &runs->items[i];

		if (is_killed(run))
			question->largest_killed_bytes =
				fmax(question->largest_killed_bytes,
				     run->need_bytes);
		else if (sw_replay_is_counted(run))
			question->largest_bytes = fmax(question->largest_bytes,
						       run->need_bytes);
	}
	for (size_t i = 0; i < question->runs.count; i++) {
		question->killed += is_killed(&question->runs.items[i]);
		question->ended +=
			sw_replay_is_counted(&question->runs.items[i]);
	}
}

/* Let the group learn the runs from question->from on. */
static int learn(struct sw_memory_question *question,
		 struct sw_memory_group *group, struct sw_memory_site *site)
{
	*group = (struct sw_memory_group){ 0 };
	*site = (struct sw_memory_site){
		.policy = question->policy,
		.settings = &sw_memory_settings[question->policy->risk],
	};
	for (size_t i = question->from; i < question->runs.count; i++) {
		const struct sw_run *run =
			&question->runs.items[sw_memory_place_of(question, i)];

		if (!sw_replay_is_counted(run) && !is_killed(run))
			continue;
		if (sw_memory_group_learn(group, site, run) < 0)
			return -1;
		/* Query each time: the last answer is not raised idly. */
		sw_memory_group_say(group, site, question->query);
	}
	return 0;
}

/*
 * Limit retries to the memory of a node, or if unknown to the largest request
 * so far: a larger one may never start.  After a kill, which shows that the
 * requests of this work are too small, those of other work and known nodes
 * count as well.
 */
static double retry_limit(const struct sw_memory_question *question,
			  const struct sw_suggestion *suggestion)
{
	double largest = suggestion->current;

	if (question->policy->cap_bytes > 0)
		return question->policy->cap_bytes;
	for (size_t i = 0; i < question->runs.count; i++)
		largest = fmax(largest,
			       question->runs.items[i].requested_bytes);
	if (suggestion->is_lower_bound)
		largest = fmax(largest, question->policy->known_bytes);
	if (isnan(largest))
		largest = furthest_retry * suggestion->suggested;
	return floor(largest / (double)SW_MIB) * (double)SW_MIB;
}

/* last is the last step named, or the suggestion. */
static enum sw_retry_limit why_ended(const struct sw_memory_question *question,
				     double last, double end)
{
	if (last < end)
		return SW_RETRY_LIMIT_NONE;
	if (question->policy->cap_bytes > 0)
		return SW_RETRY_LIMIT_NODE;
	return last > end ? SW_RETRY_LIMIT_BEYOND : SW_RETRY_LIMIT_KNOWN;
}

static void put_retries(const struct sw_memory_question *question,
			struct sw_memory_group *group,
			const struct sw_memory_site *site,
			struct sw_suggestion *suggestion)
{
	double bytes = suggestion->suggested, next;
	double end = retry_limit(question, suggestion);
	unsigned attempt = 2;

	while (suggestion->retry_count < SW_RETRIES_MAX &&
	       attempt <= question->policy->max_attempts) {
		next = sw_memory_group_again(group, site, question->query,
					     bytes, attempt++);
		/* The group's own steps are based on runs that ended. */
		if (isnan(next) || question->ended == 0)
			next = step_up * bytes;
		next = fmin(next, fmax(step_up * bytes,
				       question->largest_bytes));
		next = fmin(askable(question, next, NAN), end);
		if (!(next > bytes))
			break;
		suggestion->retries[suggestion->retry_count++] = bytes = next;
	}
	suggestion->retry_limit = why_ended(question, bytes, end);
}

/* Did the last run fail with at least the current request? */
static bool needs_step_up(const struct sw_memory_question *question,
			  double current)
{
	return sw_run_had_too_little(question->last) &&
		!(current > question->last->need_bytes);
}

/* Step from what was not enough to what is known to be needed, or double it. */
static double least_step(const struct sw_memory_question *question)
{
	const struct sw_memory_bounds *bounds = &question->bounds;
	double had = question->last->need_bytes, least;

	if (!sw_run_had_too_little(question->last))
		return bounds->least;
	if (question->largest_bytes > had)
		return fmax(had * question->policy->retry_factor,
			    bounds->least);
	least = step_up * had;
	if (bounds->proven_bytes > 0)
		least = fmin(least, bounds->proven_bytes);
	return fmax(least, bounds->least);
}

static void step_up_memory(struct sw_memory_question *question,
			   struct sw_memory_group *group,
			   const struct sw_memory_site *site,
			   struct sw_suggestion *suggestion, double bytes)
{
	const struct sw_memory_bounds *bounds = &question->bounds;
	double least = least_step(question), current = suggestion->current;

	/* The group's answer is based on runs that ended. */
	if (isnan(bytes) || question->ended == 0)
		bytes = 0;
	bytes = fmax(fmin(bytes, bounds->most), least);
	if (!needs_step_up(question, current) &&
	    current > bounds->unseen_bytes)
		bytes = current;
	suggestion->suggested = askable(question, bytes, current);
	suggestion->is_lower_bound = true;
	suggestion->margin = suggestion->suggested /
		fmax(question->largest_bytes, question->largest_killed_bytes);
	put_retries(question, group, site, suggestion);
	sw_memory_say_killed(question, suggestion);
}

/* Is there no reason against the current request? */
static bool is_enough(struct sw_memory_question *question,
		      struct sw_memory_group *group,
		      const struct sw_memory_site *site, double current)
{
	if (!(current > fmax(question->largest_bytes,
			     question->largest_killed_bytes)))
		return false;
	sw_memory_group_explain(group, site, question->query, current,
				&question->reason);
	return question->reason.risk <= risks[question->policy->risk];
}

/*
 * Keep the current request if the change is small, or no larger than one more
 * run would make: after n runs the next one has a share of 1 / (n + 1).
 */
static bool may_stay(const struct sw_memory_question *question, double bytes,
		     double current)
{
	double gain = fmin(least_gain, 1 - 1 / ((double)question->ended + 1));

	return bytes > gain * current || current - bytes < least_gain_bytes;
}

static void suggest(struct sw_memory_question *question,
		    struct sw_memory_group *group,
		    const struct sw_memory_site *site,
		    struct sw_suggestion *suggestion, double bytes)
{
	double current = suggestion->current;

	bytes = fmin(fmax(bytes, question->bounds.least),
		     question->bounds.most);
	bytes = sw_memory_group_keep_open(group, question->query, bytes);
	bytes = askable(question, bytes, current);
	if (bytes <= current ? may_stay(question, bytes, current) :
			       is_enough(question, group, site, current))
		bytes = current;
	suggestion->suggested = bytes;
	suggestion->margin = bytes / fmax(question->largest_bytes,
					  question->largest_killed_bytes);
	/* Needs below the floor are not distinguished. */
	sw_memory_group_explain(group, site, question->query,
				fmax(bytes, question->policy->floor_bytes),
				&question->reason);
	suggestion->risk = question->reason.risk;
	put_retries(question, group, site, suggestion);
	sw_memory_say_statistic(question, suggestion);
	sw_memory_say_why(question, suggestion);
}

/* A request between the bounds of a sampled need proves nothing. */
static struct sw_fit fit_of(const struct sw_memory_question *question,
			    double bytes)
{
	struct sw_fit fit = { 0 };

	for (size_t i = question->from; i < question->runs.count; i++) {
		const struct sw_run *run = &question->runs.items[i];
		bool is_below = sw_replay_is_counted(run) &&
			fmax(run->need_bytes, run->need_upper_bytes) <= bytes;
		bool is_above = run->need_bytes > bytes ||
			(is_killed(run) && run->need_bytes >= bytes);

		fit.of += is_below || is_above;
		fit.fits += is_below;
	}
	return fit;
}

static int answer(struct sw_memory_question *question,
		  struct sw_memory_group *group,
		  const struct sw_memory_site *site,
		  struct sw_suggestion *suggestion)
{
	bool has_few = question->ended == 0 ||
		question->ended < question->policy->min_runs;
	struct sw_backtest backtest = suggestion->backtest;
	double bytes = sw_memory_group_say(group, site, question->query);

	sw_memory_bounds_find(&question->bounds, &group->past,
			      question->policy, question->query,
			      suggestion->current);
	if (needs_step_up(question, suggestion->current) ||
	    question->bounds.unseen_bytes > 0) {
		step_up_memory(question, group, site, suggestion, bytes);
	} else if (has_few) {
		sw_memory_withhold_few(question, suggestion);
		return 0;
	} else if (question->reason.spread > widest_spread) {
		sw_memory_withhold_spread(question, suggestion);
		return 0;
	} else {
		suggest(question, group, site, suggestion, bytes);
	}
	/* Needs missed by sampling do not show what would have fitted. */
	if (question->bounds.unseen_bytes > 0)
		return 0;
	if (sw_memory_backtest(question, &backtest) < 0)
		return -1;
	suggestion->backtest = backtest;
	suggestion->fit = fit_of(question, suggestion->suggested);
	return 0;
}

/* Learn; if the past drifts, learn again from where it is steady. */
static int ask(struct sw_memory_question *question,
	       struct sw_suggestion *suggestion)
{
	struct sw_memory_group group;
	struct sw_memory_site site;
	int status = -1;

	if (learn(question, &group, &site) < 0)
		goto out;
	if (group.past.now.count)
		sw_memory_group_explain(&group, &site, question->query,
					question->largest_bytes,
					&question->reason);
	if (sw_memory_find_drift(question, &group) < 0)
		goto out;
	if (question->from == question->runs.count &&
	    question->runs.count > 0 &&
	    !needs_step_up(question, suggestion->current)) {
		sw_memory_withhold_drift(question, suggestion);
		status = 0;
		goto out;
	}
	if (question->from > 0 || question->is_grown_input) {
		sw_memory_group_fini(&group);
		if (question->from == question->runs.count)
			question->from = 0;
		if (learn(question, &group, &site) < 0)
			goto out;
	}
	suggestion->runs = group.past.now.count;
	status = answer(question, &group, &site, suggestion);
out:
	sw_memory_group_fini(&group);
	if (status < 0)
		errno = ENOMEM;
	return status;
}

static int advise(const struct sw_runs *runs, const struct sw_query *query,
		  const struct sw_policy *policy,
		  struct sw_suggestion *suggestion)
{
	const struct sw_run *asked = sw_runs_asked(runs, query);
	struct sw_memory_question question = {
		.query = query,
		.policy = policy,
		.runs = sw_runs_newest(runs, SW_MEMORY_WINDOW),
		.last = runs->count ? &runs->items[runs->count - 1] :
			&sw_run_unknown,
		.drift = { .p = 1, .ratio = 1 },
	};

	sw_suggestion_init(suggestion, SW_RESOURCE_MEMORY,
			   asked->requested_bytes);
	look(&question, runs);
	suggestion->runs = question.ended + question.killed;
	return ask(&question, suggestion);
}

const struct sw_advisor sw_advisor_memory = {
	.resource = SW_RESOURCE_MEMORY,
	.name = "memory",
	.unit = "bytes",
	.advise = advise,
};

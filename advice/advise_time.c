/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advise a time limit that the next run exceeds with a stated probability.  The
 * limit is for killing; the usual duration is stated separately, since the two
 * are not the same (D. Tsafrir, Y. Etsion and D. G. Feitelson, "Backfilling
 * using system-generated predictions rather than user runtime estimates", IEEE
 * TPDS 18 (2007) 789-803).
 *
 * No advice if too few runs finished, if the times drift, or if the requested
 * risk needs more than the current limit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "advice/advise_time.h"
#include "advice/advisors.h"
#include "advice/sample.h"
#include "advice/text.h"
#include "advice/whole.h"
#include "common/units.h"

static const double risks[] = {
	[SW_RISK_LOW] = 0.02,
	[SW_RISK_MEDIUM] = 0.05,
	[SW_RISK_HIGH] = 0.10,
};

static const double minute = 60;

/* A shorter limit gains nothing, and a slow file system can take as long. */
static const double least_limit = 600;

/* A smaller saving is not worth a changed script. */
static const double least_gain = 0.9;

/* A fitted tail this far beyond the observed times is a guess. */
static const double furthest = 10;

/*
 * Runs are alike if the longest took at most a fifth more than the shortest.
 * On KTH-SP2, after three to five alike runs 1.7 % of the next ones took twice
 * the longest, and after six or more 0.5 % half as much again: a tail fitted to
 * so few runs is too long.
 */
static const double alike = 1.2, above_few = 2, above_many = 1.5;
enum { MANY_ALIKE = 6 };

/* Step up after a run killed at its limit if nothing else is known. */
static const double step_up = 2;

/* Beyond this ratio to the largest input no past run predicts the time. */
static const double furthest_input = 2;

/* Slurm checks time limits periodically, and kills late. */
static const double limit_slack = 0.995;

/* Same as time.limit_hit: from this share on the run waited or spun. */
static const double waited_share = 0.5;

/* A lower ratio of CPU time to elapsed time means idle; chosen by hand. */
static const double idle_share = 0.002;

static const double impossible_seconds = 10 * 366 * 86400.0;

/* sbatch --time counts in minutes. */
static double round_up(double seconds)
{
	if (seconds < least_limit)
		return least_limit;
	return ceil(seconds / minute - 1e-9) * minute;
}

static bool is_at_limit(const struct sw_run *run)
{
	if (run->state == SW_RUN_TIMEOUT)
		return true;
	return run->state != SW_RUN_COMPLETED &&
		run->requested_seconds > 0 &&
		run->elapsed_seconds >= limit_slack * run->requested_seconds;
}

static struct sw_time_run time_of(const struct sw_run *run)
{
	bool is_timeout = is_at_limit(run);
	bool is_end = run->state == SW_RUN_COMPLETED ||
		run->state == SW_RUN_UNKNOWN;

	return (struct sw_time_run){
		.seconds = run->elapsed_seconds,
		.is_lower_bound = is_timeout || !is_end,
		.is_timeout = is_timeout,
		.limit_seconds = run->requested_seconds,
		.cores = run->requested_cores,
		.input_bytes = run->input_bytes,
	};
}

/* Did it wait or idle, other than for I/O or the network? */
static bool has_waited(const struct sw_run *run)
{
	if (run->io_share >= waited_share || run->network_share >= waited_share)
		return false;
	return run->waiting_share >= waited_share ||
		run->used_core_seconds < idle_share * run->elapsed_seconds;
}

/* Do runs of this group wait and still finish, as those of an engine do? */
static bool is_used_to_waiting(const struct sw_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		if (sw_run_ended_well(&runs->items[i]) &&
		    has_waited(&runs->items[i]))
			return true;
	}
	return false;
}

/* For a run that was stopped or failed the elapsed time is a lower bound. */
static int take_times(struct sw_time_runs *times, const struct sw_runs *runs)
{
	const struct sw_runs newest = sw_runs_newest(runs, SW_TIME_RUNS_MAX);
	bool may_wait = is_used_to_waiting(&newest);

	*times = (struct sw_time_runs){
		.items = calloc(newest.count + 1, sizeof(*times->items)),
		.has_inputs = sw_runs_have_inputs(&newest),
	};
	if (!times->items)
		return -1;
	for (size_t i = 0; i < newest.count; i++) {
		struct sw_time_run run = time_of(&newest.items[i]);

		if (!(run.seconds > 0) || run.seconds > impossible_seconds) {
			times->left_out++;
			continue;
		}
		/* More time would not have let it finish. */
		if (run.is_lower_bound && !may_wait &&
		    has_waited(&newest.items[i])) {
			if (newest.items[i].state == SW_RUN_FAILED &&
			    !run.is_timeout)
				times->left_out++;
			else
				times->hung++;
			continue;
		}
		times->items[times->count++] = run;
		times->ends += !run.is_lower_bound;
		times->timeouts += run.is_timeout;
	}
	return 0;
}

/*
 * If the input explains the time, test what remains for drift.  Lower bounds
 * hardly show when something changed.
 */
static int find_drift(struct sw_time_question *question)
{
	struct sw_time_runs *times = &question->times;
	double *values = calloc(times->count + 1, sizeof(*values));
	size_t *indices = calloc(times->count + 1, sizeof(*indices));
	size_t count = 0, from = 0;
	int status = -1;

	if (!values || !indices)
		goto out;
	for (size_t i = 0; i < times->count; i++) {
		const struct sw_time_run *run = &times->items[i];

		if (run->is_lower_bound)
			continue;
		values[count] = run->seconds /
			sw_time_model_typical(&question->model,
					      run->input_bytes);
		indices[count++] = i;
	}
	status = sw_drift_steady(values, count, question->policy->min_runs,
				 &question->drift, &from);
	/* Runs that became faster may become slow again. */
	if (question->drift.ratio < 1)
		from = 0;
	question->from = from < count ? from > 0 ? indices[from] : 0 :
		times->count;
out:
	free(values);
	free(indices);
	return status;
}

static int summarize(struct sw_time_question *question)
{
	size_t count = question->times.count - question->from, ends = 0;
	double *seconds = calloc(2 * count + 1, sizeof(*seconds));

	if (!seconds)
		return -1;
	question->largest_seconds = NAN;
	for (size_t i = question->from; i < question->times.count; i++) {
		const struct sw_time_run *run = &question->times.items[i];

		question->largest_seconds =
			fmax(question->largest_seconds, run->seconds);
		if (!run->is_lower_bound)
			seconds[ends++] = run->seconds;
	}
	question->median_seconds =
		sw_sample_median(seconds + count, seconds, ends);
	free(seconds);
	return 0;
}

/*
 * Compare with the limit that would have been suggested from the earlier runs
 * only, never above the actual one.  Runs that were cut off are skipped.
 */
static void hold_against(struct sw_time_question *question,
			 const struct sw_time_run *run,
			 struct sw_backtest *backtest)
{
	double limit = round_up(sw_time_model_limit(&question->model,
						    run->input_bytes).seconds);
	double cores = isnan(run->cores) ? 1 : run->cores;

	if (run->is_lower_bound || isnan(limit) ||
	    question->model.experts[0].ratios.ends < question->policy->min_runs)
		return;
	if (limit > run->limit_seconds)
		limit = run->limit_seconds;
	backtest->of++;
	backtest->fits += run->seconds <= limit;
	if (isnan(run->limit_seconds))
		return;
	question->unused_before +=
		fmax(run->limit_seconds - run->seconds, 0) * cores;
	question->unused_after += fmax(limit - run->seconds, 0) * cores;
}

/* Learn from run first on; backtest may be NULL. */
static int learn_from(struct sw_time_question *question, size_t first,
		      struct sw_backtest *backtest)
{
	sw_time_model_fini(&question->model);
	sw_time_model_init(&question->model, question->risk);
	for (size_t i = first; i < question->times.count; i++) {
		const struct sw_time_run *run = &question->times.items[i];

		if (backtest)
			hold_against(question, run, backtest);
		if (sw_time_model_learn(&question->model, run->seconds,
					run->is_lower_bound,
					run->input_bytes) < 0)
			return -1;
	}
	return 0;
}

/* Were runs killed at their limits, and has the limit not been raised since? */
static bool needs_step_up(const struct sw_time_question *question,
			  const struct sw_suggestion *suggestion)
{
	return question->times.timeouts > 0 &&
		!(suggestion->current >= step_up * question->largest_seconds);
}

/* Handle runs of which all or most were killed at the limit: need not known. */
static void step_up_time(const struct sw_time_question *question,
			 struct sw_suggestion *suggestion, double limit)
{
	double largest = question->largest_seconds;

	suggestion->suggested = round_up(fmax(limit, step_up * largest));
	suggestion->is_lower_bound = true;
	suggestion->margin = suggestion->suggested / largest;
	suggestion->retries[0] = round_up(step_up * suggestion->suggested);
	suggestion->retry_count = 1;
	snprintf(suggestion->statistic, sizeof(suggestion->statistic),
		 "%.0f times the longest run", suggestion->margin);
	snprintf(suggestion->why, sizeof(suggestion->why),
		 "%zu of %zu runs were killed at their time limit, the longest "
		 "after %s: they need more; how much is not known",
		 question->times.timeouts, question->times.count,
		 sw_text_seconds(largest).s);
}

static void suggest(struct sw_time_question *question,
		    const struct sw_time_limit *limit, double seconds,
		    struct sw_suggestion *suggestion)
{
	suggestion->suggested = seconds;
	suggestion->risk = sw_time_model_above(&question->model, seconds,
					       question->query->input_bytes);
	if (limit->is_of_alike)
		suggestion->risk = fmin(suggestion->risk, question->risk);
	suggestion->margin = seconds / question->largest_seconds;
	sw_time_say_statistic(question, limit, suggestion);
	sw_time_say_why(question, suggestion);
	if (suggestion->current > seconds) {
		suggestion->retries[0] = suggestion->current;
		suggestion->retry_count = 1;
	}
}

/* Return the limit of runs that hardly differ; infinite if they do differ. */
static double most_of_alike(const struct sw_time_question *question)
{
	double least = INFINITY, most = 0;
	size_t count = 0;

	for (size_t i = question->from; i < question->times.count; i++) {
		const struct sw_time_run *run = &question->times.items[i];

		most = fmax(most, run->seconds);
		if (run->is_lower_bound)
			continue;
		least = fmin(least, run->seconds);
		count++;
	}
	if (most > alike * least)
		return INFINITY;
	return most * (count < MANY_ALIKE ? above_few : above_many);
}

static void answer(struct sw_time_question *question,
		   struct sw_suggestion *suggestion)
{
	double current = suggestion->current, largest, seconds;
	struct sw_time_limit limit =
		sw_time_model_limit(&question->model,
				    question->query->input_bytes);

	largest = question->largest_seconds;
	if (limit.is_fitted && most_of_alike(question) < limit.seconds) {
		limit.seconds = most_of_alike(question);
		limit.is_of_alike = true;
	}
	seconds = round_up(limit.seconds);
	if (limit.is_fitted && !limit.is_by_input &&
	    seconds > furthest * largest)
		seconds = NAN;
	if (seconds <= current || (isnan(current) && !isnan(seconds)))
		suggest(question, &limit, seconds > least_gain * current ?
			current : seconds, suggestion);
	else if (needs_step_up(question, suggestion))
		step_up_time(question, suggestion, seconds);
	else
		sw_time_withhold_risk(question, seconds, suggestion);
}

/* Return NAN if no input is known. */
static double largest_input(const struct sw_time_question *question)
{
	double largest = NAN;

	for (size_t i = 0; i < question->times.count; i++)
		largest = fmax(largest, question->times.items[i].input_bytes);
	return largest;
}

/* A run that was cut off below the limit is not counted. */
static struct sw_fit fit_of(const struct sw_time_question *question,
			    double seconds)
{
	struct sw_fit fit = { 0 };

	for (size_t i = question->from; i < question->times.count; i++) {
		const struct sw_time_run *run = &question->times.items[i];
		bool is_above = run->seconds > seconds;

		if (run->is_lower_bound && !is_above)
			continue;
		fit.of++;
		fit.fits += !is_above;
	}
	return fit;
}

static int ask(struct sw_time_question *question,
	       struct sw_suggestion *suggestion)
{
	const struct sw_time_runs *times = &question->times;
	struct sw_backtest backtest = suggestion->backtest;
	bool has_few = times->ends < 2 ||
		times->ends < question->policy->min_runs;

	suggestion->runs = times->count;
	if (learn_from(question, 0, &backtest) < 0 ||
	    (!has_few && find_drift(question) < 0))
		return -1;
	if (question->from == times->count && times->count > 0) {
		sw_time_withhold_drift(question, suggestion);
		return 0;
	}
	if ((question->from > 0 &&
	     learn_from(question, question->from, NULL) < 0) ||
	    summarize(question) < 0)
		return -1;
	suggestion->runs = times->count - question->from;
	if (question->query->input_bytes >
	    furthest_input * largest_input(question))
		sw_time_withhold_input(question, largest_input(question),
				       suggestion);
	else if (!has_few)
		answer(question, suggestion);
	else if (needs_step_up(question, suggestion))
		step_up_time(question, suggestion, NAN);
	else if (times->hung > 0)
		sw_time_withhold_hung(question, suggestion);
	else
		sw_time_withhold_few(question, suggestion);
	if (suggestion->is_withheld)
		return 0;
	suggestion->backtest = backtest;
	suggestion->fit = fit_of(question, suggestion->suggested);
	return 0;
}

static int advise(const struct sw_runs *runs, const struct sw_query *query,
		  const struct sw_policy *policy,
		  struct sw_suggestion *suggestion)
{
	struct sw_time_question question = {
		.query = query,
		.policy = policy,
		.risk = risks[policy->risk],
		.drift = { .p = 1, .ratio = 1 },
	};
	int status;

	sw_suggestion_init(suggestion, SW_RESOURCE_TIME,
			   sw_runs_asked(runs, query)->requested_seconds);
	if (take_times(&question.times, runs) < 0)
		return -1;
	sw_time_model_init(&question.model, question.risk);
	status = ask(&question, suggestion);
	sw_time_model_fini(&question.model);
	free(question.times.items);
	return status;
}

const struct sw_advisor sw_advisor_time = {
	.resource = SW_RESOURCE_TIME,
	.name = "time",
	.unit = "seconds",
	.advise = advise,
};

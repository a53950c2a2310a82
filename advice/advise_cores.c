/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advise as many cores as the runs could use at once, for long enough to
 * matter.  Computed from the time that each number of CPUs was busy, never from
 * the mean, which is the same for 4 cores all the time and 16 for a quarter of
 * it.
 *
 * No advice if neither that nor the peak is known.
 */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "advice/advisors.h"
#include "advice/parallel.h"
#include "advice/text.h"
#include "advice/whole.h"
#include "common/units.h"

/* Slowdown accepted for having fewer cores. */
static const double slowdowns[] = {
	[SW_RISK_LOW] = 0.02,
	[SW_RISK_MEDIUM] = 0.05,
	[SW_RISK_HIGH] = 0.10,
};

/* Share of the time lost to I/O from which the advice mentions it. */
static const double most_io = 0.5;

static const double hour = 3600;

/* A smaller slowdown would not be noticed. */
static const double least_longer = 0.001;

struct question {
	struct sw_parallel *parallels;	/* of each run that counts */
	bool has_phases;		/* otherwise peaks only */
};

/*
 * Without phases assume that the run was as busy as its peak all the time.
 * Returns false if nothing is known.
 */
static bool parallel_of(struct sw_parallel *parallel, const struct sw_run *run,
			bool has_phases)
{
	if (!sw_run_is_measured(run))
		return false;
	if (has_phases)
		return sw_parallel_init(parallel, run);
	*parallel = (struct sw_parallel){
		.busy = { run->peak_cores },
		.seconds = { run->elapsed_seconds },
		.total_seconds = run->elapsed_seconds,
	};
	return run->peak_cores >= 0 && isfinite(run->peak_cores);
}

static void collect(struct question *question, struct sw_whole *whole)
{
	const struct sw_runs *runs = &whole->runs;
	double slowdown = slowdowns[whole->policy->risk];

	whole->count = whole->left_out = 0;
	for (size_t i = 0; i < runs->count; i++) {
		struct sw_parallel *parallel =
			&question->parallels[whole->count];

		if (!parallel_of(parallel, &runs->items[i],
				 question->has_phases))
			whole->left_out++;
		else
			sw_whole_add(whole, i, sw_parallel_cores(
				parallel, slowdown),
				runs->items[i].requested_cores);
	}
}

static void save(const struct sw_whole *whole, size_t i, double cores,
		 struct sw_backtest *backtest)
{
	const struct question *question = whole->context;
	const struct sw_parallel *parallel = &question->parallels[i];
	double ratio = sw_parallel_seconds(parallel, cores) /
		parallel->total_seconds;
	double hours = sw_whole_run(whole, i)->elapsed_seconds / hour;

	sw_backtest_save(backtest, &backtest->saved_core_hours,
			 (whole->requested[i] - cores * ratio) * hours,
			 whole->policy->core_hour_price);
}

/* Return how much longer all runs together would have taken. */
static double longer_with(const struct sw_whole *whole, double cores)
{
	const struct question *question = whole->context;
	double then = 0, now = 0;

	for (size_t i = 0; i < whole->count; i++) {
		then += sw_parallel_seconds(&question->parallels[i], cores);
		now += question->parallels[i].total_seconds;
	}
	return then / now - 1;
}

static double largest_peak(const struct sw_whole *whole)
{
	return sw_whole_largest(whole, offsetof(struct sw_run, peak_cores));
}

/* State what a number of cores would cost in time and reserve in core-hours. */
static void say_cost(const struct sw_whole *whole, double cores,
		     double current, char *why, size_t size)
{
	double longer = longer_with(whole, cores);

	sw_text_add(why, size, "with %.0f they would take %s longer", cores,
		    longer >= least_longer ? sw_text_percent(longer).s : "no");
	if (current > 0)
		sw_text_add(why, size, " and use %s of the core-hours",
			    sw_text_percent((1 + longer) * cores / current).s);
}

/*
 * Fewer CPUs are no remedy for runs slowed down by I/O: mention it.  Says
 * nothing unless the I/O share of each run is known.
 */
static void say_io(const struct sw_whole *whole, char *why, size_t size)
{
	double sum = 0;

	for (size_t i = 0; i < whole->count; i++)
		sum += sw_whole_run(whole, i)->io_share;
	if (sum >= most_io * (double)whole->count)
		sw_text_add(why, size, "; I/O held them up for %s of their "
			    "time: more CPUs would not make them faster, "
			    "faster storage or less data would",
			    sw_text_percent(sum / (double)whole->count).s);
}

static void say_why(const struct sw_whole *whole,
		    struct sw_suggestion *suggestion)
{
	const struct question *question = whole->context;
	char *const why = suggestion->why;
	const size_t size = sizeof(suggestion->why);
	double cores = suggestion->suggested;
	double less = floor(cores / 2 / whole->grain) * whole->grain;
	double peak = largest_peak(whole);

	if (question->has_phases)
		sw_text_add(why, size, "from the busy CPUs of each phase of "
			    "%zu runs: ", whole->count);
	else
		sw_text_add(why, size, "never more than %.1f CPUs were busy at "
			    "once in %zu runs: ", peak, whole->count);
	say_cost(whole, cores, suggestion->current, why, size);
	if (question->has_phases && less >= 1) {
		sw_text_add(why, size, "; ");
		say_cost(whole, less, suggestion->current, why, size);
	}
	say_io(whole, why, size);
	if (peak > cores)
		sw_text_add(why, size, "; up to %.1f were busy for short "
			    "times, which would take longer", peak);
	if (whole->left_out > 0)
		sw_text_add(why, size, "; %zu run%s that failed or %s not "
			    "measured %s ignored", whole->left_out,
			    whole->left_out == 1 ? "" : "s",
			    whole->left_out == 1 ? "was" : "were",
			    whole->left_out == 1 ? "was" : "were");
}

/*
 * Was a run recorded by stepwell, which knows its waits, slowed down by other
 * processes or a quota?  Its CPU use does not show how much it could have used.
 */
static bool was_held_back(const struct sw_run *run)
{
	return sw_run_is_measured(run) && isnan(run->peak_cores) &&
		run->used_core_seconds >= 0 &&
		(run->io_share >= 0 || run->waiting_share >= 0);
}

/* Give the true reason if it is not the number of runs. */
static void refuse_held_back(const struct sw_whole *whole,
			     struct sw_suggestion *suggestion)
{
	size_t count = 0;

	for (size_t i = 0; i < whole->runs.count; i++)
		count += was_held_back(&whole->runs.items[i]);
	if (count > 0 && whole->count + count >= whole->policy->min_runs)
		sw_suggestion_withhold(
			suggestion, "runs with CPUs of their own",
			"%zu of %zu runs waited for CPUs that others used, or "
			"for their quota, or worked between two samples, so "
			"how many they could use is not known", count,
			whole->runs.count);
}

/* Use phases if enough runs have them, otherwise peaks. */
static int answer(struct question *question, struct sw_whole *whole,
		  struct sw_suggestion *suggestion)
{
	question->has_phases = true;
	collect(question, whole);
	if (whole->count < whole->policy->min_runs) {
		question->has_phases = false;
		collect(question, whole);
	}
	if (sw_whole_advise(whole, suggestion) < 0)
		return -1;
	if (suggestion->is_few)
		refuse_held_back(whole, suggestion);
	if (suggestion->is_withheld)
		return 0;
	if (question->has_phases) {
		suggestion->statistic[0] = '\0';
		sw_text_add(suggestion->statistic,
			    sizeof(suggestion->statistic),
			    "busy CPUs by phase, at most %.0f %% longer",
			    100 * slowdowns[whole->policy->risk]);
	}
	suggestion->margin = suggestion->suggested / largest_peak(whole);
	say_why(whole, suggestion);
	return 0;
}

/* Each node and task has the same number of cores. */
static double grain_of(const struct sw_run *run)
{
	double grain = fmax(fmax(run->nodes, run->tasks), 1);

	return isfinite(grain) ? grain : 1;
}

static int advise(const struct sw_runs *runs, const struct sw_query *query,
		  const struct sw_policy *policy,
		  struct sw_suggestion *suggestion)
{
	const struct sw_run *asked = sw_runs_asked(runs, query);
	struct question question = { 0 };
	struct sw_whole whole = {
		.thing = "cores",
		.runs_needed = "successful runs recorded by stepwell",
		.grain = grain_of(asked),
		.policy = policy,
		.runs = sw_runs_newest(runs, SW_WHOLE_RUNS_MAX),
		.save = save,
		.context = &question,
	};
	int status = -1;

	sw_suggestion_init(suggestion, SW_RESOURCE_CORES,
			   asked->requested_cores);
	question.parallels = calloc(whole.runs.count + 1,
				    sizeof(*question.parallels));
	if (question.parallels && sw_whole_init(&whole, whole.runs.count) == 0)
		status = answer(&question, &whole, suggestion);
	free(question.parallels);
	sw_whole_fini(&whole);
	return status;
}

const struct sw_advisor sw_advisor_cores = {
	.resource = SW_RESOURCE_CORES,
	.name = "cores",
	.unit = "cores",
	.advise = advise,
};

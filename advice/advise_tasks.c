/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that were never busy at the same time need not exist at the same time.
 * Assumes that each keeps one CPU busy while it works, and that the program can
 * run with any number of tasks.
 *
 * No advice for a single task, for tasks with several cores each (see the
 * advice on cores), and if all tasks were busy but unequal: fewer would not
 * help, so the text tells how much balance would.
 */
#include <math.h>

#include "advice/advisors.h"
#include "advice/parallel.h"
#include "advice/sample.h"
#include "advice/text.h"
#include "advice/whole.h"
#include "common/units.h"

/* Ratio of the slowest task to the mean from which it is mentioned. */
static const double unequal = 1.25;

/* Return the maximum of tasks busy at once. */
static double tasks_needed(const struct sw_run *run)
{
	struct sw_parallel parallel;
	double busy = run->peak_cores;

	if (sw_parallel_init(&parallel, run))
		busy = sw_parallel_cores(&parallel, 0);
	return fmin(fmax(ceil(busy - 1e-9), 1), run->tasks);
}

static bool tell(const struct sw_run *run, double *needed, double *requested)
{
	*needed = tasks_needed(run);
	*requested = run->tasks;
	return run->tasks >= 1 && isfinite(run->tasks) &&
		(run->has_busy || run->peak_cores >= 0);
}

/* Return the slowest task's work to the mean, in the median run; or NAN. */
static double imbalance(const struct sw_whole *whole)
{
	double values[SW_WHOLE_RUNS_MAX], scratch[SW_WHOLE_RUNS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < whole->count; i++) {
		double ratio = sw_whole_run(whole, i)->slowest_task_ratio;

		if (ratio >= 1 && isfinite(ratio))
			values[count++] = ratio;
	}
	return sw_sample_median(scratch, values, count);
}

static void refuse_unequal(const struct sw_whole *whole, double ratio,
			   struct sw_suggestion *suggestion)
{
	sw_suggestion_withhold(suggestion, "distributing the work evenly",
			       "all tasks work at the same time, but in the "
			       "median of %zu runs the slowest used %.2f times "
			       "the mean CPU time: fewer tasks would not help; "
			       "with the work distributed evenly, they would "
			       "finish up to %s sooner",
			       whole->count, ratio,
			       sw_text_percent(1 - 1 / ratio).s);
}

static void conclude(const struct sw_whole *whole,
		     struct sw_suggestion *suggestion)
{
	double ratio = imbalance(whole);

	if (suggestion->suggested < suggestion->current)
		sw_text_add(suggestion->why, sizeof(suggestion->why),
			    "at most %.0f of %.0f tasks were busy at the same "
			    "time in %zu runs, if each keeps one CPU busy",
			    suggestion->suggested, suggestion->current,
			    whole->count);
	else if (ratio >= unequal)
		refuse_unequal(whole, ratio, suggestion);
	else
		sw_text_add(suggestion->why, sizeof(suggestion->why),
			    "all %.0f tasks were busy at the same time in at "
			    "least one of %zu runs", suggestion->current,
			    whole->count);
}

/* Return why there can be no advice on this request; NULL if there can. */
static const char *unfit(const struct sw_run *asked)
{
	if (isnan(asked->tasks))
		return "the number of tasks it had is not known";
	if (asked->tasks <= 1)
		return "it has one task";
	if (asked->requested_cores > asked->tasks)
		return "each task has several cores: see the advice on cores";
	return NULL;
}

static int advise(const struct sw_runs *runs, const struct sw_query *query,
		  const struct sw_policy *policy,
		  struct sw_suggestion *suggestion)
{
	const struct sw_run *asked = sw_runs_asked(runs, query);
	struct sw_whole whole = {
		.thing = "tasks",
		.runs_needed = "successful runs recorded by stepwell",
		.grain = asked->nodes > 1 && isfinite(asked->nodes) ?
			asked->nodes : 1,
		.policy = policy,
		.runs = sw_runs_newest(runs, SW_WHOLE_RUNS_MAX),
		.tell = tell,
		.save = sw_whole_save_cores,
		.say = conclude,
	};
	const char *reason = unfit(asked);

	sw_suggestion_init(suggestion, SW_RESOURCE_TASKS, asked->tasks);
	if (!reason)
		return sw_whole_answer(&whole, suggestion);
	sw_suggestion_withhold(suggestion, "", "%s", reason);
	return 0;
}

const struct sw_advisor sw_advisor_tasks = {
	.resource = SW_RESOURCE_TASKS,
	.name = "tasks",
	.unit = "count",
	.advise = advise,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advise as many GPUs as were used, without those idle from start to end.
 * Mentions a GPU that is hardly used, and how much of its memory is used.
 *
 * No advice if no GPU was requested, or it is not known which ones were used.
 */
#include <math.h>
#include <stddef.h>

#include "advice/advisors.h"
#include "advice/text.h"
#include "advice/whole.h"
#include "common/units.h"

/* Busy for less than this on average: a share of a GPU would be enough. */
static const double hardly_busy = 0.25;

static const double hour = 3600;

static bool tell(const struct sw_run *run, double *needed, double *requested)
{
	*needed = run->used_gpus;
	*requested = run->requested_gpus;
	return run->used_gpus >= 0 && isfinite(run->used_gpus) &&
		run->requested_gpus > 0;
}

static void save(const struct sw_whole *whole, size_t i, double gpus,
		 struct sw_backtest *backtest)
{
	double hours = sw_whole_run(whole, i)->elapsed_seconds / hour;

	sw_backtest_save(backtest, &backtest->saved_gpu_hours,
			 (whole->requested[i] - gpus) * hours,
			 whole->policy->gpu_hour_price);
}

static void say_why(const struct sw_whole *whole,
		    struct sw_suggestion *suggestion)
{
	double busy = sw_whole_largest(whole, offsetof(struct sw_run,
						       gpu_busy_ratio));
	double bytes = sw_whole_largest(whole, offsetof(struct sw_run,
							gpu_memory_bytes));
	char *const why = suggestion->why;
	const size_t size = sizeof(suggestion->why);

	if (!(suggestion->suggested > 0)) {
		sw_text_add(why, size, "none of %zu runs used a GPU: request "
			    "none, and nodes without GPUs", whole->count);
		return;
	}
	if (suggestion->suggested < suggestion->current)
		sw_text_add(why, size, "%zu runs used at most %.0f of the %.0f "
			    "GPUs requested", whole->count,
			    suggestion->suggested, suggestion->current);
	else
		sw_text_add(why, size, "none of the %.0f GPUs on %.0f nodes "
			    "can be given up, judging by %zu runs",
			    suggestion->current,
			    whole->grain, whole->count);
	if (busy < hardly_busy)
		sw_text_add(why, size, "; those were busy at most %s of the "
			    "time: a share of one (MPS, MIG) may do",
			    sw_text_percent(busy).s);
	if (bytes > 0)
		sw_text_add(why, size, "; at most %s of GPU memory was used on "
			    "one, so a smaller GPU is enough",
			    sw_text_bytes(bytes).s);
}

/* Each node has the same number of GPUs, unless it has none. */
static double grain_of(const struct sw_run *run)
{
	return run->nodes > 1 && isfinite(run->nodes) ? run->nodes : 1;
}

static int advise(const struct sw_runs *runs, const struct sw_query *query,
		  const struct sw_policy *policy,
		  struct sw_suggestion *suggestion)
{
	const struct sw_run *asked = sw_runs_asked(runs, query);
	struct sw_whole whole = {
		.thing = "GPUs",
		.runs_needed = "successful runs on nodes whose driver reports "
			       "the GPU use of each process",
		.grain = grain_of(asked),
		.policy = policy,
		.runs = sw_runs_newest(runs, SW_WHOLE_RUNS_MAX),
		.tell = tell,
		.save = save,
		.say = say_why,
	};

	sw_suggestion_init(suggestion, SW_RESOURCE_GPUS,
			   asked->requested_gpus);
	if (asked->requested_gpus > 0)
		return sw_whole_answer(&whole, suggestion);
	sw_suggestion_withhold(suggestion, "", "no GPU is requested");
	return 0;
}

const struct sw_advisor sw_advisor_gpus = {
	.resource = SW_RESOURCE_GPUS,
	.name = "gpus",
	.unit = "count",
	.advise = advise,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replay what advice on memory would have been before each past run. */
#include <math.h>
#include <stdlib.h>

#include "advice/advise_memory.h"
#include "advice/methods.h"
#include "advice/replay.h"
#include "advice/whole.h"
#include "common/units.h"

#define BYTES_PER_GB 1e9

/* Counts of a backtest's replay. */
struct counts {
	size_t learned;
	bool had_opinion;
	size_t of, fits;
};

/* Passed as the method's policy, so that it finds the counts. */
struct counted_policy {
	struct sw_policy policy;
	struct counts *counts;
};

static struct counts *counts_of(const struct sw_memory_site *site)
{
	return ((const struct counted_policy *)site->policy)->counts;
}

/* stepwell's method, silent until it has the policy's minimum of runs. */
static int late_learn(void *group, struct sw_memory_site *site,
		      const struct sw_run *run)
{
	counts_of(site)->learned += !run->is_lower_bound;
	return sw_method_stepwell.learn(group, site, run);
}

static double late_ask(void *group, const struct sw_asking *asking)
{
	double bytes = sw_method_stepwell.ask(group, asking);
	struct counts *counts = counts_of(asking->site);

	counts->had_opinion = bytes > 0 &&
		counts->learned >= asking->site->policy->min_runs;
	return counts->had_opinion ? bytes : NAN;
}

static void late_seen(void *context, const struct sw_replay_seen *seen)
{
	struct counts *counts = context;

	counts->of += counts->had_opinion;
	counts->fits += counts->had_opinion && seen->attempts == 1;
}

/* Memory is reserved on all nodes of a run. */
static struct sw_run node_hours(const struct sw_run *run)
{
	struct sw_run copy = *run;

	if (isnan(copy.end_seconds))
		copy.end_seconds = copy.start_seconds + copy.elapsed_seconds;
	if (copy.nodes > 1)
		copy.elapsed_seconds *= copy.nodes;
	return copy;
}

int sw_memory_backtest(const struct sw_memory_question *question,
		       struct sw_backtest *backtest)
{
	static const double gib_hours = BYTES_PER_GB / (double)SW_GIB;
	struct sw_method method = sw_method_stepwell;
	struct counts counts = { 0 };
	const struct counted_policy policy = { *question->policy, &counts };
	const struct sw_replay_options options = {
		.order = SW_REPLAY_ONLINE, .is_warm_only = true,
	};
	struct sw_runs runs = sw_runs_newest(&question->runs,
					     SW_BACKTEST_RUNS_MAX);
	struct sw_replay_run *items = calloc(runs.count + 1, sizeof(*items));
	struct sw_replay_sum sum;
	int status = -1;

	if (!items)
		return -1;
	method.learn = late_learn;
	method.ask = late_ask;
	for (size_t i = 0; i < runs.count; i++)
		items[i].run = node_hours(&runs.items[i]);
	if (sw_replay(&method, &policy.policy, &options, items, runs.count,
		      &sum, 1, late_seen, &counts) < 0)
		goto out;
	backtest->of = counts.of;
	backtest->fits = counts.fits;
	/* Without advice the request is used, which saves nothing. */
	sw_backtest_save(backtest, &backtest->saved_gib_hours, gib_hours *
			 (sum.requested_gb_hours - sum.needed_gb_hours -
			  sum.wasted_gb_hours),
			 question->policy->gib_hour_price);
	status = 0;
out:
	free(items);
	return status;
}

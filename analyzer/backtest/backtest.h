/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replay methods on past runs, from a trace or the history: a row per workflow
 * for each method, and a total.
 */
#ifndef SW_ANALYZER_BACKTEST_H
#define SW_ANALYZER_BACKTEST_H

#include "analyzer/traces/trace.h"

struct sw_history;

/* Result of a method for a workflow, or for all of them. */
struct sw_backtest_row {
	size_t tasks, failures, failed_tasks, retries_exhausted,
		without_suggestion;
	double wasted_gib_hours;
	/* Requested by the users; NAN if any request is unknown. */
	double requested_gib_hours;
	/* Allocation divided by need; NAN without tasks. */
	double mean_ratio, median_ratio;
	/* Memory allocation quality: need / allocation, both over time. */
	double quality;
};

struct sw_backtest_result {
	struct sw_backtest_row *rows;	/* one per workflow */
	size_t count;
	struct sw_backtest_row total;
	size_t cold_groups;	/* without any counted run */
};

/* Results of several methods on the same runs. */
struct sw_backtest_table {
	const struct sw_trace *trace;
	struct sw_backtest_side {
		const struct sw_method *method;
		struct sw_backtest_result result;
	} *sides;
	size_t count;
};

/*
 * Return a default cap: 128 GiB, or the trace's largest value if that is more.
 */
double sw_backtest_cap(const struct sw_trace *trace);

/* Return 0, or -1 (errno ENOMEM). */
int sw_backtest_init(struct sw_backtest_result *result,
		     const struct sw_trace *trace,
		     const struct sw_method *method,
		     const struct sw_policy *policy,
		     const struct sw_replay_options *options);
void sw_backtest_fini(struct sw_backtest_result *result);

/*
 * Make a trace of the history, with each group as a workflow: the runs of a
 * group, or if NULL those of all groups of jobs, or of steps.  Return 0, or -1
 * with *error.  The trace can be freed in both cases.
 */
int sw_backtest_past(struct sw_trace *trace, struct sw_history *history,
		     const char *group, bool is_of_steps,
		     enum sw_trace_input input, struct sw_error *error);

/* Run the method, or all if NULL.  Return 0, or -1 (errno ENOMEM). */
int sw_backtest_all(struct sw_backtest_table *backtest,
		    const struct sw_trace *trace,
		    const struct sw_method *method,
		    const struct sw_policy *policy,
		    const struct sw_replay_options *options);
void sw_backtest_all_fini(struct sw_backtest_table *backtest);

#endif

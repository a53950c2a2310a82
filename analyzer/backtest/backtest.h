/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Past runs, of a trace or the history, replayed against methods: for each a
 * row of every workflow, and a total.
 */
#ifndef SW_ANALYZER_BACKTEST_H
#define SW_ANALYZER_BACKTEST_H

#include "analyzer/traces/trace.h"

struct sw_history;

/* A method on a workflow, or on all of them. */
struct sw_backtest_row {
	size_t tasks, failures, failed_tasks, retries_exhausted,
		without_suggestion;
	double wasted_gib_hours;
	/* What the users asked for; NAN where not all requests are known. */
	double requested_gib_hours;
	/* Allocation to need; NAN without tasks. */
	double mean_ratio, median_ratio;
	/* Memory allocation quality: needed to allocated, both by time. */
	double quality;
};

struct sw_backtest_result {
	struct sw_backtest_row *rows;	/* one for each workflow */
	size_t count;
	struct sw_backtest_row total;
	size_t cold_groups;	/* of which no run could be counted */
};

/* Results of methods on the same runs. */
struct sw_backtest_table {
	const struct sw_trace *trace;
	struct sw_backtest_side {
		const struct sw_method *method;
		struct sw_backtest_result result;
	} *sides;
	size_t count;
};

/*
 * A cap for those who have none: 128 GiB, or the largest of the trace if that
 * is more.
 */
double sw_backtest_cap(const struct sw_trace *trace);

/* 0, or -1 (errno ENOMEM). */
int sw_backtest_init(struct sw_backtest_result *result,
		     const struct sw_trace *trace,
		     const struct sw_method *method,
		     const struct sw_policy *policy,
		     const struct sw_replay_options *options);
void sw_backtest_fini(struct sw_backtest_result *result);

/*
 * The history as a trace to replay, each group a workflow of its own: the runs
 * of a group; or where it is NULL those of all groups of jobs, or of
 * steps.  0, or -1 with *error.  The trace can be finished in any case.
 */
int sw_backtest_past(struct sw_trace *trace, struct sw_history *history,
		     const char *group, bool is_of_steps,
		     enum sw_trace_input input, struct sw_error *error);

/* Of the one method, or where it is NULL of all.  0, or -1 (errno ENOMEM). */
int sw_backtest_all(struct sw_backtest_table *backtest,
		    const struct sw_trace *trace,
		    const struct sw_method *method,
		    const struct sw_policy *policy,
		    const struct sw_replay_options *options);
void sw_backtest_all_fini(struct sw_backtest_table *backtest);

#endif

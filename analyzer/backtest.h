/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace replayed against a method: one row for each workflow, and a total. */
#ifndef SW_ANALYZER_BACKTEST_H
#define SW_ANALYZER_BACKTEST_H

#include "analyzer/trace.h"

/* A method on a workflow, or on all of them. */
struct sw_backtest_row {
	size_t tasks, failures, failed_tasks, given_up, without_opinion;
	double wasted_gib_hours;
	/* Allocation to need; NAN without tasks. */
	double mean_ratio, median_ratio;
	/* Memory allocation quality: needed to allocated, both by time. */
	double quality;
};

struct sw_backtest_result {
	struct sw_backtest_row *rows;	/* one for each workflow */
	size_t count;
	struct sw_backtest_row total;
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

#endif

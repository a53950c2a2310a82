/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The history as a trace to replay: each group is a workflow of its own. */
#ifndef SW_ANALYZER_BACKTEST_PAST_H
#define SW_ANALYZER_BACKTEST_PAST_H

#include "analyzer/history/history.h"
#include "analyzer/traces/trace.h"

/*
 * The runs of a group; or where it is NULL those of all groups of jobs, or of
 * steps.  0, or -1 with *error.  The trace can be finished in any case.
 */
int sw_backtest_past(struct sw_trace *trace, struct sw_history *history,
		     const char *group, bool is_of_steps,
		     enum sw_trace_input input, struct sw_error *error);

#endif

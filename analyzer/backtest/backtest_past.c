/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make a trace of the history. */
#include "analyzer/backtest/backtest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history.h"
#include "common/grow.h"

static int add_group(void *context, const char *group, size_t run_count)
{
	struct sw_trace *trace = context;
	size_t index = trace->group_count;

	(void)run_count;
	if (sw_grow(&trace->groups, index, sizeof(*trace->groups)) < 0 ||
	    sw_grow(&trace->workflows, index, sizeof(*trace->workflows)) < 0)
		return -1;
	trace->groups[index] = (struct sw_trace_group){ strdup(""), index };
	trace->group_count++;
	trace->workflows[index] = strdup(group);
	trace->workflow_count++;
	return trace->groups[index].task && trace->workflows[index] ? 0 : -1;
}

static void note(struct sw_trace *trace, const struct sw_run *run)
{
	struct sw_trace_rows *rows = &trace->rows;

	rows->read++;
	if (run->is_lower_bound && run->need_bytes > 0)
		rows->lower_bounds++;
	else if (run->state != SW_RUN_COMPLETED &&
		 run->state != SW_RUN_UNKNOWN)
		rows->failed++;
	else if (!sw_replay_is_counted(run))
		rows->need_unknown++;
	if (!sw_replay_is_counted(run))
		return;
	rows->usable++;
	sw_trace_note_gaps(rows, run);
	rows->known_inputs += run->input_bytes >= 0;
}

static int add_runs(struct sw_trace *trace, size_t group,
		    const struct sw_history_runs *runs,
		    enum sw_trace_input input)
{
	size_t count = trace->count + runs->count, i;
	struct sw_replay_run *items;

	if (!runs->count)
		return 0;
	items = reallocarray(trace->runs, count, sizeof(*items));
	if (!items)
		return -1;
	trace->runs = items;
	for (i = 0; i < runs->count; i++) {
		struct sw_run *run = &items[trace->count].run;

		items[trace->count++] = (struct sw_replay_run){
			runs->runs[i], group };
		/* Input sizes in the history were known before the run. */
		if (input == SW_TRACE_INPUT_NONE)
			run->input_bytes = NAN;
		trace->largest_bytes = fmax(trace->largest_bytes,
					    fmax(run->need_bytes,
						 run->requested_bytes));
		note(trace, run);
	}
	return 0;
}

static int read_group(struct sw_trace *trace, struct sw_history *history,
		      size_t group, enum sw_trace_input input,
		      struct sw_error *error)
{
	struct sw_history_runs runs;
	int rc = sw_history_runs(history, trace->workflows[group], SIZE_MAX,
				 &runs, error);

	if (rc < 0)
		return -1;
	rc = add_runs(trace, group, &runs, input);
	sw_history_runs_fini(&runs);
	return rc < 0 ? sw_error_errno(error, "the history") : 0;
}

int sw_backtest_past(struct sw_trace *trace, struct sw_history *history,
		     const char *group, bool is_of_steps,
		     enum sw_trace_input input, struct sw_error *error)
{
	int rc;
	size_t i;

	*trace = (struct sw_trace){ 0 };
	sw_error_set(error, "the history: not enough memory");
	rc = group ? add_group(trace, group, 0) :
	     sw_history_each_group(history, is_of_steps, add_group, trace,
				   error);
	for (i = 0; rc == 0 && i < trace->group_count; i++)
		rc = read_group(trace, history, i, input, error);
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert rows of a trace to runs. */
#include "analyzer/traces/trace.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/traces/trace_attempts.h"
#include "analyzer/traces/trace_format.h"
#include "analyzer/traces/trace_names.h"
#include "analyzer/traces/trace_seen.h"
#include "common/grow.h"

static bool is_completed(const struct sw_trace_row *row)
{
	return sw_trace_is_nothing(row->status) ||
	       !strcmp(row->status, "COMPLETED") || sw_trace_is_cached(row);
}

static double input_of(const struct sw_trace_row *row,
		       enum sw_trace_input wanted, struct sw_trace_rows *rows)
{
	/* The bytes that a task read are only known after it has run. */
	bool is_late = !strcmp(row->input_kind, "rchar");

	if (wanted == SW_TRACE_INPUT_NONE || !(row->input_bytes >= 0) ||
	    (is_late && wanted == SW_TRACE_INPUT_KNOWN))
		return NAN;
	if (is_late)
		rows->late_inputs++;
	else
		rows->known_inputs++;
	return row->input_bytes;
}

static double positive(double value)
{
	return value > 0 ? value : NAN;
}

static double need_of(const struct sw_trace_row *row, bool is_of_rss)
{
	double first = is_of_rss ? row->rss_bytes : row->need_bytes;
	double second = is_of_rss ? row->need_bytes : row->rss_bytes;

	return first > 0 ? first : positive(second);
}

static void set_times(struct sw_run *run, const struct sw_trace_row *row)
{
	run->start_seconds = isnan(row->start_seconds) ? row->submit_seconds :
							 row->start_seconds;
	run->end_seconds = row->end_seconds;
	run->elapsed_seconds = row->elapsed_seconds;
	if (isnan(run->elapsed_seconds) &&
	    row->end_seconds >= row->start_seconds)
		run->elapsed_seconds = row->end_seconds - row->start_seconds;
	if (isnan(run->end_seconds))
		run->end_seconds = run->start_seconds + run->elapsed_seconds;
}

void sw_trace_note_gaps(struct sw_trace_rows *rows, const struct sw_run *run)
{
	if (!(run->elapsed_seconds > 0))
		rows->without_elapsed++;
	if (isnan(run->requested_bytes))
		rows->without_request++;
	if (!(run->end_seconds >= run->start_seconds))
		rows->without_times++;
}

static struct sw_run run_of(const struct sw_trace_row *row,
			    const struct sw_trace_options *options,
			    const struct sw_numbered *attempts,
			    struct sw_trace_rows *rows)
{
	struct sw_run run = sw_run_unknown;

	run.state = SW_RUN_COMPLETED;
	set_times(&run, row);
	run.attempt =
		row->attempt >= 1 ? (unsigned)fmin(row->attempt, UINT_MAX) : 0;
	if (run.attempt > 1)
		run.first_requested_bytes =
			sw_trace_attempts_first(attempts, row);
	run.need_bytes = need_of(row, options->is_of_rss);
	run.need_upper_bytes = run.need_bytes;
	run.requested_bytes = positive(row->requested_bytes);
	run.requested_cores = positive(row->requested_cores);
	run.requested_seconds = positive(row->requested_seconds);
	run.used_core_seconds = row->cpu_ratio * run.elapsed_seconds;
	run.input_bytes = input_of(row, options->input, rows);
	sw_trace_note_gaps(rows, &run);
	return run;
}

static int put_run(struct sw_trace *trace, struct sw_trace_names *names,
		   const char *workflow, const char *task,
		   const struct sw_run *run)
{
	size_t group;

	if (sw_grow(&trace->runs, trace->count, sizeof(*trace->runs)) < 0 ||
	    sw_trace_names_get(names, trace, workflow, task, &group) < 0)
		return -1;
	trace->runs[trace->count++] = (struct sw_replay_run){ *run, group };
	trace->largest_bytes = fmax(trace->largest_bytes,
				    fmax(run->need_bytes,
					 run->requested_bytes));
	return 0;
}

struct reading {
	struct sw_trace *trace;
	const struct sw_trace_options *options;
	struct sw_trace_names *names;
	struct sw_numbered attempts, seen;
};

static int take_run(void *context, const struct sw_trace_row *row)
{
	struct reading *reading = context;
	struct sw_trace_rows *rows = &reading->trace->rows;
	struct sw_run run;
	bool is_again;

	if (sw_trace_attempts_note(&reading->attempts, row) < 0)
		return -1;
	if (!is_completed(row)) {
		rows->failed++;
		return 0;
	}
	if (sw_trace_seen_add(&reading->seen, row, &is_again) < 0)
		return -1;
	if (is_again) {
		rows->repeated++;
		return 0;
	}
	if (isnan(need_of(row, reading->options->is_of_rss))) {
		rows->need_unknown++;
		return 0;
	}
	run = run_of(row, reading->options, &reading->attempts, rows);
	rows->usable++;
	return put_run(reading->trace, reading->names, row->workflow,
		       row->task, &run);
}

int sw_trace_init(struct sw_trace *trace, const char *path,
		  const struct sw_trace_options *options,
		  struct sw_error *error)
{
	struct reading reading = {
		.trace = trace, .options = options,
		.names = sw_trace_names_new(),
	};
	int rc;

	*trace = (struct sw_trace){ 0 };
	if (!reading.names)
		return sw_error_errno(error, "%s", path);
	rc = sw_trace_each_row(path, take_run, &reading, &trace->rows, error);
	if (rc == 0 && sw_trace_attempts_finish(trace) < 0)
		rc = sw_error_errno(error, "%s", path);
	sw_numbered_fini(&reading.attempts);
	sw_numbered_fini(&reading.seen);
	sw_trace_names_free(reading.names);
	return rc;
}

void sw_trace_fini(struct sw_trace *trace)
{
	size_t i;

	for (i = 0; i < trace->group_count; i++)
		free(trace->groups[i].task);
	for (i = 0; i < trace->workflow_count; i++)
		free(trace->workflows[i]);
	free(trace->groups);
	free(trace->workflows);
	free(trace->runs);
	*trace = (struct sw_trace){ 0 };
}

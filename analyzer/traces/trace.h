/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace: past tasks of workflows from a file, as runs to replay.  Formats
 * are rows of trace.c: CSV with the columns that stepwell-backtest(1) names,
 * and Nextflow's trace.txt.  A number that cannot be read ends the reading; a
 * row that cannot be used is counted.
 */
#ifndef SW_ANALYZER_TRACE_H
#define SW_ANALYZER_TRACE_H

#include "advice/replay.h"
#include "common/error.h"

enum sw_trace_input {
	SW_TRACE_INPUT_ANY,
	SW_TRACE_INPUT_KNOWN,	/* only what is known before a task runs */
	SW_TRACE_INPUT_NONE,
};

struct sw_trace_options {
	enum sw_trace_input input;
	bool is_of_rss;		/* the column rss_b before peak_mem_b */
};

struct sw_trace_group {
	char *task;
	size_t workflow;
};

/* Rows that are in the file and what became of them. */
struct sw_trace_rows {
	size_t read;
	size_t usable;
	size_t failed;		/* of an attempt that did not end well */
	size_t repeated;	/* CACHED: of a run before that is there, too */
	size_t need_unknown;
	size_t lower_bounds;	/* the need is known to be at least that */
	size_t impossible;		/* below 0, or beyond what can be */
	char first_impossible[SW_ERROR_TEXT_SIZE];
	/* Of the usable ones: */
	size_t without_elapsed;	/* so that they waste nothing */
	size_t without_request;
	size_t without_times;
	size_t known_inputs, late_inputs;	/* before; only after the run */
};

struct sw_trace {
	struct sw_replay_run *runs;
	size_t count;
	struct sw_trace_group *groups;
	size_t group_count;
	char **workflows;
	size_t workflow_count;
	double largest_bytes;	/* of requests and needs */
	struct sw_trace_rows rows;
};

/* 0, or -1 with errno and text.  The trace can be finished in any case. */
int sw_trace_init(struct sw_trace *trace, const char *path,
		  const struct sw_trace_options *options,
		  struct sw_error *error);
void sw_trace_fini(struct sw_trace *trace);

/* Count what is not known of a run that can be used. */
void sw_trace_note_gaps(struct sw_trace_rows *rows, const struct sw_run *run);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load a trace: past tasks of workflows from a file, as runs to replay.  The
 * formats are listed in trace.c: CSV with the columns of stepwell-backtest(1),
 * and Nextflow's trace.txt.  A malformed number ends the reading; an unusable
 * row is counted.
 */
#ifndef SW_ANALYZER_TRACE_H
#define SW_ANALYZER_TRACE_H

#include "advice/replay.h"
#include "common/error.h"

enum sw_trace_input {
	SW_TRACE_INPUT_ANY,
	SW_TRACE_INPUT_KNOWN,	/* only if known before a task runs */
	SW_TRACE_INPUT_NONE,
};

struct sw_trace_options {
	enum sw_trace_input input;
	bool is_of_rss;		/* prefer column rss_b to peak_mem_b */
};

struct sw_trace_group {
	char *task;
	size_t workflow;
};

/* Rows in the file, and how they were used */
struct sw_trace_rows {
	size_t read;
	size_t usable;
	size_t failed;		/* attempts that did not succeed */
	size_t repeated;	/* CACHED: also present from an earlier run */
	size_t need_unknown;
	size_t lower_bounds;	/* only a lower bound of the need is known */
	size_t impossible;		/* negative, or above the maximum */
	char first_impossible[SW_ERROR_TEXT_SIZE];
	/* Usable rows: */
	size_t without_elapsed;	/* so their waste is 0 */
	size_t without_request;
	size_t without_times;
	size_t known_inputs, late_inputs;	/* known before; only after the
						 * run */
};

struct sw_trace {
	struct sw_replay_run *runs;
	size_t count;
	struct sw_trace_group *groups;
	size_t group_count;
	char **workflows;
	size_t workflow_count;
	double largest_bytes;	/* among requests and needs */
	struct sw_trace_rows rows;
};

/* 0, or -1 with errno and text.  sw_trace_fini() is allowed in any case. */
int sw_trace_init(struct sw_trace *trace, const char *path,
		  const struct sw_trace_options *options,
		  struct sw_error *error);
void sw_trace_fini(struct sw_trace *trace);

/* Count the unknown values of a usable run. */
void sw_trace_note_gaps(struct sw_trace_rows *rows, const struct sw_run *run);

#endif

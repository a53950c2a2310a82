/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for formats of traces: one file (trace_*.c) and one row in
 * trace.c.
 */
#ifndef SW_ANALYZER_TRACE_FORMAT_H
#define SW_ANALYZER_TRACE_FORMAT_H

#include "analyzer/trace.h"

/* A row of the file; NAN and "" where there is nothing. */
struct sw_trace_row {
	const char *workflow, *task, *tag, *status, *input_kind;
	double submit_seconds, start_seconds, end_seconds, elapsed_seconds;
	double need_bytes, rss_bytes, requested_bytes;
	double requested_cores, cpu_ratio, requested_seconds;
	double input_bytes, attempt, exit;
};

/* 0, or -1 where text is no such value. */
typedef int (*sw_trace_parse_f)(const char *text, double *value);

struct sw_trace_column {
	const char *name;
	size_t offset;		/* in struct sw_trace_row */
	sw_trace_parse_f parse;	/* NULL: text */
	double max;		/* more cannot be */
	double min;
	const char *expected;	/* "bytes as a number" */
};

struct sw_trace_format {
	const char *name;
	/* A header with this column is of the format. */
	const char *mark;
	const struct sw_trace_column *columns;	/* NULL-named end */
	/*
	 * Of each, one or more must be there: "peak_mem_b|rss_b", and what is
	 * lost without it.  NULL-terminated.
	 */
	const char *const (*needed)[2];
	/* What does not stand in columns of its own; buffer for texts. */
	void (*complete)(struct sw_trace_row *row, char *buf, size_t size);
};

extern const struct sw_trace_format sw_trace_format_csv,
	sw_trace_format_nextflow;

/* A decimal number and nothing else. */
int sw_trace_number(const char *text, double *value);

#endif

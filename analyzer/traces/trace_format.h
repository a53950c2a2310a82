/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interface of trace formats: each is a file (trace_*.c) and a row in trace.c.
 */
#ifndef SW_ANALYZER_TRACE_FORMAT_H
#define SW_ANALYZER_TRACE_FORMAT_H

#include <stddef.h>

#include "analyzer/traces/trace.h"

/* No node has an exbibyte, and no task runs for a century. */
#define SW_TRACE_BYTES_MAX 1152921504606846976.0
#define SW_TRACE_SECONDS_MAX 3.2e9
#define SW_TRACE_EPOCH_MAX 1e11
#define SW_TRACE_COUNT_MAX 1e9
/* No process uses less than a page: such a number is in another unit. */
#define SW_TRACE_NEED_MIN 4096

/* A row of the file; NAN and "" if absent.  Texts are untrusted. */
struct sw_trace_row {
	const char *format;	/* name of its format */
	const char *workflow, *task;
	const char *id;		/* the scheduler's, otherwise the file's own */
	const char *name;	/* of the task, with its tag */
	const char *process, *hash;	/* as in Nextflow */
	const char *status, *input_kind;
	const char *start_text, *end_text;	/* as in Nextflow */
	double submit_seconds, start_seconds, end_seconds, elapsed_seconds;
	double need_bytes, rss_bytes, requested_bytes;
	double requested_cores, cpu_ratio, requested_seconds;
	double input_bytes, attempt, exit, task_id;
};

/* Parse a value: 0, or -1 if text is malformed. */
typedef int (*sw_trace_parse_f)(const char *text, double *value);

struct sw_trace_column {
	const char *name;
	size_t offset;		/* in struct sw_trace_row */
	sw_trace_parse_f parse;	/* NULL: text */
	double max;		/* larger values are impossible */
	double min;
	const char *expected;	/* "bytes as a number" */
	/* Check of a text column: a line with any other text does not begin a
	 * row. */
	bool (*is_form)(const char *text);
};

/* Entries of a format's column table: text, word, number, memory */
#define SW_TRACE_TEXT(column, field) \
	{ .name = column, .offset = offsetof(struct sw_trace_row, field) }
#define SW_TRACE_WORD(column, field, test) \
	{ .name = column, .offset = offsetof(struct sw_trace_row, field), \
	  .is_form = test }
#define SW_TRACE_NUMBER(column, field, reader, limit, words) \
	{ .name = column, .offset = offsetof(struct sw_trace_row, field), \
	  .parse = reader, .max = SW_TRACE_##limit##_MAX, \
	  .expected = words }
#define SW_TRACE_MEMORY(column, field, reader, words) \
	{ .name = column, .offset = offsetof(struct sw_trace_row, field), \
	  .parse = reader, .max = SW_TRACE_BYTES_MAX, \
	  .min = SW_TRACE_NEED_MIN, .expected = words }

struct sw_trace_format {
	const char *name;
	/* A header with this column identifies the format. */
	const char *mark;
	const struct sw_trace_column *columns;	/* ends with a NULL name */
	/*
	 * Required columns, at least one of each "peak_mem_b|rss_b", and what
	 * is lost without them.  NULL-terminated.
	 */
	const char *const (*needed)[2];
	/*
	 * Columns whose text may contain unquoted newlines and separators:
	 * "script|env", or NULL.
	 */
	const char *verbatim;
	/* Derive values that have no column of their own; buf is for texts. */
	void (*complete)(struct sw_trace_row *row, char *buf, size_t size);
};

extern const struct sw_trace_format sw_trace_format_csv,
	sw_trace_format_nextflow;

/* Is it "", "-", "NA" or similar? */
bool sw_trace_is_nothing(const char *text);

/* 0, or -1 with errno to stop reading. */
typedef int (*sw_trace_row_f)(void *context, const struct sw_trace_row *row);

/*
 * Call seen for each row with possible numbers, whatever its status; the row
 * and its texts are valid during the call.  In rows only read and impossible
 * are set.  0, or -1 with errno and text.
 */
int sw_trace_each_row(const char *path, sw_trace_row_f seen, void *context,
		      struct sw_trace_rows *rows, struct sw_error *error);

/* Parse a decimal number and nothing else. */
int sw_trace_number(const char *text, double *value);

#endif

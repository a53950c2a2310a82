/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV traces: bytes, seconds, and milliseconds since the Epoch. */
#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "analyzer/trace_format.h"

/* No node has an exbibyte, no task runs for a century. */
#define BYTES_MAX 1152921504606846976.0
#define SECONDS_MAX 3.2e9
#define EPOCH_MAX 1e11
#define COUNT_MAX 1e9
/* No process has less than a page: such a number is in other units. */
#define NEED_MIN 4096

int sw_trace_number(const char *text, double *value)
{
	char *end;

	/* strtod() would take "inf", "nan" and hexadecimal numbers. */
	if (!isdigit((unsigned char)text[*text == '-' || *text == '+']) &&
	    text[*text == '-' || *text == '+'] != '.')
		return -1;
	*value = strtod(text, &end);
	if (end == text || *end || !isfinite(*value))
		return -1;
	for (; text < end; text++) {
		if (*text == 'x' || *text == 'X')
			return -1;
	}
	return 0;
}

static int parse_milliseconds(const char *text, double *value)
{
	if (sw_trace_number(text, value) < 0)
		return -1;
	*value /= 1000;
	return 0;
}

static int parse_percent(const char *text, double *value)
{
	if (sw_trace_number(text, value) < 0)
		return -1;
	*value /= 100;
	return 0;
}

#define AT(field) offsetof(struct sw_trace_row, field)
#define TEXT(column, field) { .name = column, .offset = AT(field) }
#define NUMBER(column, field, reader, limit, words) \
	{ .name = column, .offset = AT(field), .parse = reader, \
	  .max = limit, .expected = words }

static const struct sw_trace_column columns[] = {
	TEXT("wf", workflow),
	TEXT("task", task),
	TEXT("id", id),
	TEXT("status", status),
	TEXT("input_kind", input_kind),
	NUMBER("submit_ms", submit_seconds, parse_milliseconds, EPOCH_MAX,
	       "milliseconds since 1970"),
	NUMBER("start_ms", start_seconds, parse_milliseconds, EPOCH_MAX,
	       "milliseconds since 1970"),
	NUMBER("end_ms", end_seconds, parse_milliseconds, EPOCH_MAX,
	       "milliseconds since 1970"),
	NUMBER("runtime_s", elapsed_seconds, sw_trace_number, SECONDS_MAX,
	       "seconds"),
	{ .name = "peak_mem_b", .offset = AT(need_bytes),
	  .parse = sw_trace_number, .max = BYTES_MAX, .min = NEED_MIN,
	  .expected = "bytes" },
	{ .name = "rss_b", .offset = AT(rss_bytes),
	  .parse = sw_trace_number, .max = BYTES_MAX, .min = NEED_MIN,
	  .expected = "bytes" },
	{ .name = "req_mem_b", .offset = AT(requested_bytes),
	  .parse = sw_trace_number, .max = BYTES_MAX, .min = NEED_MIN,
	  .expected = "bytes" },
	NUMBER("req_cpus", requested_cores, sw_trace_number, COUNT_MAX,
	       "a number"),
	NUMBER("cpu_pct", cpu_ratio, parse_percent, COUNT_MAX,
	       "per cent of one core"),
	NUMBER("req_time_s", requested_seconds, sw_trace_number, SECONDS_MAX,
	       "seconds"),
	NUMBER("input_b", input_bytes, sw_trace_number, BYTES_MAX, "bytes"),
	NUMBER("attempt", attempt, sw_trace_number, COUNT_MAX, "a number"),
	{ .name = NULL },
};

static void complete(struct sw_trace_row *row, char *buf, size_t size)
{
	(void)buf;
	(void)size;
	row->name = row->task;
}

static const char *const needed[][2] = {
	{ "wf", "runs cannot be told apart by workflow" },
	{ "task", "runs of the same work cannot be found" },
	{ "peak_mem_b|rss_b", "what a task needed is not known" },
	{ "runtime_s|end_ms", "wastage cannot be told" },
	{ NULL, NULL },
};

const struct sw_trace_format sw_trace_format_csv = {
	.name = "CSV",
	.mark = "wf",
	.columns = columns,
	.needed = needed,
	.complete = complete,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse CSV traces: bytes, seconds, and milliseconds since the Epoch. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/traces/trace_format.h"

bool sw_trace_is_nothing(const char *text)
{
	return !*text || !strcmp(text, "-") || !strcmp(text, "NA") ||
	       !strcmp(text, "nan") || !strcmp(text, "NaN");
}

int sw_trace_number(const char *text, double *value)
{
	char *end;

	/* strtod() would accept "inf", "nan" and hexadecimal numbers. */
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

static const struct sw_trace_column columns[] = {
	SW_TRACE_TEXT("wf", workflow),
	SW_TRACE_TEXT("task", task),
	SW_TRACE_TEXT("id", id),
	SW_TRACE_TEXT("status", status),
	SW_TRACE_TEXT("input_kind", input_kind),
	SW_TRACE_NUMBER("submit_ms", submit_seconds, parse_milliseconds, EPOCH,
			"milliseconds since 1970"),
	SW_TRACE_NUMBER("start_ms", start_seconds, parse_milliseconds, EPOCH,
			"milliseconds since 1970"),
	SW_TRACE_NUMBER("end_ms", end_seconds, parse_milliseconds, EPOCH,
			"milliseconds since 1970"),
	SW_TRACE_NUMBER("runtime_s", elapsed_seconds, sw_trace_number, SECONDS,
			"seconds"),
	SW_TRACE_MEMORY("peak_mem_b", need_bytes, sw_trace_number, "bytes"),
	SW_TRACE_MEMORY("rss_b", rss_bytes, sw_trace_number, "bytes"),
	SW_TRACE_MEMORY("req_mem_b", requested_bytes, sw_trace_number, "bytes"),
	SW_TRACE_NUMBER("req_cpus", requested_cores, sw_trace_number, COUNT,
			"a number"),
	SW_TRACE_NUMBER("cpu_pct", cpu_ratio, parse_percent, COUNT,
			"percent of one core"),
	SW_TRACE_NUMBER("req_time_s", requested_seconds, sw_trace_number,
			SECONDS, "seconds"),
	SW_TRACE_NUMBER("input_b", input_bytes, sw_trace_number, BYTES,
			"bytes"),
	SW_TRACE_NUMBER("attempt", attempt, sw_trace_number, COUNT, "a number"),
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
	{ "task", "runs of the same kind cannot be found" },
	{ "peak_mem_b|rss_b", "what a task needed is not known" },
	{ "runtime_s|end_ms", "wastage cannot be computed" },
	{ NULL, NULL },
};

const struct sw_trace_format sw_trace_format_csv = {
	.name = "CSV",
	.mark = "wf",
	.columns = columns,
	.needed = needed,
	.complete = complete,
};

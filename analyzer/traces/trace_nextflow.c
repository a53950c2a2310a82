/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse Nextflow's trace.txt: tabs, sizes like "1.2 GB" (powers of 1024, as in
 * Nextflow's MemoryUnit), durations like "1h 2m 3s", and dates in local time;
 * with trace.raw plain numbers of bytes and milliseconds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/traces/trace_format.h"
#include "common/local_time.h"
#include "common/text.h"

/* Parse a number at the beginning of text; returns the rest. */
static const char *take_number(const char *text, double *value)
{
	char digits[64];
	size_t length = strspn(text, "0123456789.");

	if (!length || length >= sizeof(digits))
		return NULL;
	memcpy(digits, text, length);
	digits[length] = '\0';
	if (sw_trace_number(digits, value) < 0)
		return NULL;
	return text + length + strspn(text + length, " ");
}

static int parse_size(const char *text, double *value)
{
	static const char letters[] = "BKMGTPE";
	const char *rest, *letter;

	if (*text == '-')
		return sw_trace_number(text, value);
	rest = take_number(text, value);
	if (!rest)
		return -1;
	if (!*rest)
		return 0;
	letter = strchr(letters, *rest);
	if (!letter || (strcmp(rest + 1, "B") != 0 && rest[1]))
		return -1;
	for (; letter > letters; letter--)
		*value *= 1024;
	return 0;
}

static const struct {
	const char *name;
	double seconds;
} units[] = {
	{ "ms", 0.001 }, { "d", 86400 }, { "h", 3600 }, { "m", 60 },
	{ "s", 1 }, { NULL, 0 },
};

/* Sum all parts of text; without a unit they are milliseconds. */
static int parse_duration(const char *text, double *value)
{
	double part, sum = 0;
	size_t i, length;

	if (sw_trace_number(text, value) == 0) {
		*value /= 1000;
		return 0;
	}
	do {
		text = take_number(text, &part);
		if (!text)
			return -1;
		length = strspn(text, "dhms");
		for (i = 0; units[i].name; i++) {
			if (strlen(units[i].name) == length &&
			    !strncmp(text, units[i].name, length))
				break;
		}
		if (!units[i].name)
			return -1;
		sum += part * units[i].seconds;
		text += length;
		text += strspn(text, " ");
	} while (*text);
	*value = sum;
	return 0;
}

/* Parse "2022-11-27 18:17:02.785", or milliseconds since the Epoch. */
static int parse_date(const char *text, double *value)
{
	struct tm tm = { 0 };
	double fraction = 0;
	const char *rest;

	if (sw_trace_number(text, value) == 0) {
		*value /= 1000;
		return 0;
	}
	rest = strptime(text, "%Y-%m-%d %H:%M:%S", &tm);
	if (!rest || (*rest && (*rest != '.' ||
				sw_trace_number(rest, &fraction) < 0)))
		return -1;
	*value = sw_local_time(&tm) + fraction;
	return isnan(*value) ? -1 : 0;
}

static int parse_percent(const char *text, double *value)
{
	const char *rest = take_number(text, value);

	if (!rest || (*rest && strcmp(rest, "%") != 0))
		return -1;
	*value /= 100;
	return 0;
}

/* Is it like "ab/cdef12"? */
static bool is_hash(const char *text)
{
	static const char digits[] = "0123456789abcdef";
	size_t first = strspn(text, digits);

	return first == 2 && text[2] == '/' && text[3] &&
	       !text[3 + strspn(text + 3, digits)];
}

static bool is_status(const char *text)
{
	static const char *const words[] = { "NEW", "SUBMITTED", "RUNNING",
					     "COMPLETED", "FAILED", "ABORTED",
					     "CACHED" };

	return SW_IS_AMONG(text, words);
}

/* Resolve ambiguous local times; the times of trace.raw are not ambiguous. */
static void settle_times(struct sw_trace_row *row)
{
	double *start = isnan(row->start_seconds) ? &row->submit_seconds :
						    &row->start_seconds;

	if (strchr(row->start_text, ':') || strchr(row->end_text, ':'))
		sw_local_times_settle(row->submit_seconds, start,
				      &row->end_seconds, row->elapsed_seconds);
}

/* "nf-core:ALIGN (sample 7)": the process is in front of the tag. */
static void complete(struct sw_trace_row *row, char *buf, size_t size)
{
	size_t length;
	char *tag;

	snprintf(buf, size, "%s", row->name);
	length = strlen(buf);
	tag = strstr(buf, " (");
	if (tag && buf[length - 1] == ')')
		*tag = '\0';
	/* Use the process if the trace has it, otherwise the name without its
	 * tag. */
	row->task = *row->process ? row->process : buf;
	if (!*row->name)
		row->name = row->task;
	if (sw_trace_is_nothing(row->id))
		row->id = row->hash;
	row->workflow = "nextflow";
	row->input_kind = "rchar";
	settle_times(row);
}

static const struct sw_trace_column columns[] = {
	/* Usually the first column: a line without one does not begin a row. */
	SW_TRACE_NUMBER("task_id", task_id, sw_trace_number, COUNT, "a number"),
	SW_TRACE_TEXT("name", name),
	SW_TRACE_TEXT("process", process),
	SW_TRACE_TEXT("native_id", id),
	SW_TRACE_WORD("hash", hash, is_hash),
	SW_TRACE_WORD("status", status, is_status),
	SW_TRACE_NUMBER("submit", submit_seconds, parse_date, EPOCH, "a date"),
	SW_TRACE_NUMBER("start", start_seconds, parse_date, EPOCH, "a date"),
	SW_TRACE_TEXT("start", start_text),
	SW_TRACE_NUMBER("complete", end_seconds, parse_date, EPOCH, "a date"),
	SW_TRACE_TEXT("complete", end_text),
	SW_TRACE_NUMBER("realtime", elapsed_seconds, parse_duration, SECONDS,
			"a duration like \"1h 2m 3s\""),
	SW_TRACE_MEMORY("peak_rss", need_bytes, parse_size,
			"a size like \"1.2 GB\""),
	SW_TRACE_MEMORY("rss", rss_bytes, parse_size, "a size like \"1.2 GB\""),
	SW_TRACE_MEMORY("memory", requested_bytes, parse_size,
			"a size like \"1.2 GB\""),
	SW_TRACE_NUMBER("cpus", requested_cores, sw_trace_number, COUNT,
			"a number"),
	SW_TRACE_NUMBER("%cpu", cpu_ratio, parse_percent, COUNT, "percent"),
	SW_TRACE_NUMBER("time", requested_seconds, parse_duration, SECONDS,
			"a duration like \"1h 2m 3s\""),
	SW_TRACE_NUMBER("rchar", input_bytes, parse_size, BYTES,
			"a size like \"1.2 GB\""),
	SW_TRACE_NUMBER("attempt", attempt, sw_trace_number, COUNT, "a number"),
	/* Nextflow's value for unknown is the maximum of 32 bits. */
	SW_TRACE_NUMBER("exit", exit, sw_trace_number, EPOCH, "a number"),
	{ .name = NULL },
};

static const char *const needed[][2] = {
	{ "process|name", "runs of the same kind cannot be found" },
	{ "peak_rss|rss", "what a task needed is not known" },
	{ "realtime", "wastage cannot be computed" },
	{ NULL, NULL },
};

const struct sw_trace_format sw_trace_format_nextflow = {
	.name = "Nextflow",
	.mark = "task_id|native_id|peak_rss|realtime",
	.columns = columns,
	.needed = needed,
	.verbatim = "script|env",
	.complete = complete,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of "stepwell list". */
#include "analyzer/list/columns.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analyzer/print/messages.h"
#include "analyzer/print/paragraph.h"
#include "common/units.h"

/* The widest that --format accepts. */
enum { WIDTH_MAX = 200, NAME_SIZE = 64 };

const struct sw_list_column sw_list_columns[SW_LIST_COLUMNS] = {
	[SW_LIST_ID] = { "id", "JobID", "id", 40, SW_LIST_TEXT, SW_LIST_OF_RUN,
		false, "job or array element, or the recording's id" },
	[SW_LIST_CLUSTER] = { "cluster", NULL, "cluster", 16, SW_LIST_TEXT,
		SW_LIST_OF_RUN, false, "cluster of the job" },
	[SW_LIST_JOB_ID] = { "job_id", NULL, "job", 12, SW_LIST_NUMBER,
		SW_LIST_OF_RUN, false, "Slurm's own number of the job or "
		"element" },
	[SW_LIST_NAME] = { "name", "JobName", "name", 20, SW_LIST_TEXT,
		SW_LIST_OF_RUN, false, "name of the job or run; text shows the "
		"program if it has none" },
	[SW_LIST_PROGRAM] = { "program", NULL, "program", 20, SW_LIST_TEXT,
		SW_LIST_OF_RUN, false, "program that was started" },
	[SW_LIST_USER] = { "user", NULL, "user", 12, SW_LIST_TEXT,
		SW_LIST_OF_RUN, false, "user of the job or run" },
	[SW_LIST_UID] = { "uid", NULL, "uid", 10, SW_LIST_NUMBER,
		SW_LIST_OF_RUN, false, "the user's number" },
	[SW_LIST_GROUP] = { "group", NULL, "group", 40, SW_LIST_TEXT,
		SW_LIST_KEY, false, "job group, as in stepwell-suggest(1)" },
	[SW_LIST_DAY] = { "day", NULL, "day", 10, SW_LIST_TEXT, SW_LIST_KEY,
		false, "local day of the start" },
	[SW_LIST_RUNS] = { "runs", NULL, "runs", 7, SW_LIST_NUMBER,
		SW_LIST_SUM, true, "number of runs" },
	[SW_LIST_FAILED] = { "failed", NULL, "failed", 7, SW_LIST_NUMBER,
		SW_LIST_SUM, true, "runs known to have failed or been killed" },
	[SW_LIST_NODE_COUNT] = { "node_count", "NNodes", "nodes", 5,
		SW_LIST_NUMBER, SW_LIST_MAX, false, "nodes of the job" },
	[SW_LIST_START] = { "start", NULL, "start", 19, SW_LIST_TIME,
		SW_LIST_MAX, false, "start; of several runs, the latest" },
	[SW_LIST_ELAPSED] = { "elapsed_seconds", NULL, "elapsed", 11,
		SW_LIST_DURATION, SW_LIST_SUM, false, "elapsed time" },
	[SW_LIST_TIME_LIMIT] = { "time_limit_seconds", "Timelimit",
		"time limit", 11, SW_LIST_DURATION, SW_LIST_OF_RUN, false,
		"requested time" },
	[SW_LIST_STATE] = { "state", NULL, "state", 16, SW_LIST_TEXT,
		SW_LIST_OF_RUN, false, "how it ended" },
	[SW_LIST_STATE_SOURCE] = { "state_source", NULL, "state from", 11,
		SW_LIST_TEXT, SW_LIST_OF_RUN, false,
		"source of the state: sacct or exit_status" },
	[SW_LIST_EXIT_CODE] = { "exit_code", NULL, "exit", 4, SW_LIST_NUMBER,
		SW_LIST_OF_RUN, false, "exit status" },
	[SW_LIST_CORES] = { "allocated_cores", "AllocCPUS", "cores", 6,
		SW_LIST_REAL, SW_LIST_MAX, false,
		"CPUs allocated, or else available" },
	[SW_LIST_USED_CPU] = { "used_core_seconds", "TotalCPU", "CPU time", 11,
		SW_LIST_DURATION, SW_LIST_SUM, false, "CPU time used" },
	[SW_LIST_ALLOCATED_CPU] = { "allocated_core_seconds", "CPUTime",
		"CPU alloc", 11, SW_LIST_DURATION, SW_LIST_SUM, false,
		"allocated CPUs times elapsed time" },
	[SW_LIST_EFFICIENCY] = { "cpu_efficiency", "CPUEff", "CPU", 5,
		SW_LIST_RATIO, SW_LIST_RATIO_OF_SUMS, false,
		"CPU time used, of the allocated" },
	[SW_LIST_NEED] = { "need_bytes", NULL, "need at least", 13,
		SW_LIST_BYTES, SW_LIST_MAX, false,
		"lower bound of the memory need" },
	[SW_LIST_NEED_UPPER] = { "need_upper_bytes", NULL, "need at most", 12,
		SW_LIST_BYTES, SW_LIST_MAX, false,
		"upper bound of the memory need, with page cache" },
	[SW_LIST_NEED_IS_LOWER_BOUND] = { "need_is_lower_bound", NULL,
		"need cut", 8, SW_LIST_BOOL, SW_LIST_MAX, false,
		"the need was cut off by a limit" },
	[SW_LIST_MEMORY] = { "memory_bytes", "ReqMem", "request", 9,
		SW_LIST_BYTES, SW_LIST_MAX, false,
		"memory requested, else the limit or what was available" },
	[SW_LIST_READ] = { "read_bytes", "DiskRead", "read", 9, SW_LIST_BYTES,
		SW_LIST_SUM, false, "bytes read from disks" },
	[SW_LIST_WRITTEN] = { "written_bytes", "DiskWrite", "written", 9,
		SW_LIST_BYTES, SW_LIST_SUM, false, "bytes written to disks" },
	[SW_LIST_LIMITED_BY] = { "limited_by", NULL, "limited by", 24,
		SW_LIST_TEXT, SW_LIST_OF_RUN, false,
		"main limit, with its share of the time" },
	[SW_LIST_FIRST_FINDING] = { "first_finding", NULL, "finding", 40,
		SW_LIST_TEXT, SW_LIST_MOST_FREQUENT, false,
		"first finding of the report; of several runs, the most "
		"frequent" },
	[SW_LIST_SEVERITY] = { "severity", NULL, "severity", 8, SW_LIST_TEXT,
		SW_LIST_OF_RUN, false, "severity of the first finding" },
	[SW_LIST_FINDINGS] = { "findings", NULL, "findings", 60,
		SW_LIST_TEXTS, SW_LIST_OF_RUN, false, "all findings" },
	[SW_LIST_TRUST] = { "trust", NULL, "trust", 6, SW_LIST_TEXT,
		SW_LIST_OF_RUN, false, "trust in the files, as in "
		"stepwell-report(1)" },
	[SW_LIST_PATH] = { "path", NULL, "path", 60, SW_LIST_TEXT,
		SW_LIST_OF_RUN, false, "its first file" },
	[SW_LIST_MEMORY_WORDS] = { "memory", "MemEff", "memory", 34,
		SW_LIST_WORDS, SW_LIST_OF_RUN, false,
		"memory need and request, in words" },
	[SW_LIST_NEED_WORDS] = { "need", "MaxRSS", "need", 20, SW_LIST_WORDS,
		SW_LIST_OF_LARGEST_NEED, false,
		"memory need in words; of several runs, the largest" },
	[SW_LIST_ID_SHOWN] = { .kind = SW_LIST_WORDS },
	[SW_LIST_STATE_SHOWN] = { .kind = SW_LIST_WORDS },
};

static const char *const by_names[] = {
	[SW_LIST_BY_RUN] = "run",
	[SW_LIST_BY_GROUP] = "group",
	[SW_LIST_BY_DAY] = "day",
};

int sw_list_by_parse(enum sw_list_by *by, const char *text,
		     struct sw_error *error)
{
	size_t i;

	for (i = 0; i < sizeof(by_names) / sizeof(by_names[0]); i++) {
		if (!strcmp(text, by_names[i])) {
			*by = (enum sw_list_by)i;
			return 0;
		}
	}
	errno = EINVAL;
	return sw_error_set(error, "--by takes run, group or day");
}

bool sw_list_has(enum sw_list_by by, enum sw_list_column_id id)
{
	const struct sw_list_column *column = &sw_list_columns[id];

	if (!column->name)
		return false;
	if (by == SW_LIST_BY_RUN)
		return !column->is_of_sums;
	if (column->sum == SW_LIST_KEY)
		return id == (by == SW_LIST_BY_DAY ? SW_LIST_DAY :
						     SW_LIST_GROUP);
	return column->sum != SW_LIST_OF_RUN;
}

static void put(struct sw_list_format *format, enum sw_list_column_id column)
{
	format->items[format->count++] =
		(struct sw_list_place){ .column = column };
}

void sw_list_format_default(struct sw_list_format *format, enum sw_list_by by)
{
	static const enum sw_list_column_id of_run[] = {
		SW_LIST_ID, SW_LIST_NAME, SW_LIST_START, SW_LIST_STATE,
		SW_LIST_ELAPSED, SW_LIST_EFFICIENCY, SW_LIST_MEMORY_WORDS,
		SW_LIST_LIMITED_BY, SW_LIST_FIRST_FINDING,
	}, of_several[] = {
		SW_LIST_RUNS, SW_LIST_FAILED, SW_LIST_ELAPSED,
		SW_LIST_ALLOCATED_CPU, SW_LIST_EFFICIENCY, SW_LIST_NEED_WORDS,
		SW_LIST_MEMORY, SW_LIST_FIRST_FINDING,
	};
	const bool is_run = by == SW_LIST_BY_RUN;
	size_t i, count = is_run ? sizeof(of_run) / sizeof(*of_run) :
				   sizeof(of_several) / sizeof(*of_several);

	format->count = 0;
	if (!is_run)
		put(format, by == SW_LIST_BY_DAY ? SW_LIST_DAY : SW_LIST_GROUP);
	for (i = 0; i < count; i++)
		put(format, is_run ? of_run[i] : of_several[i]);
}

void sw_list_format_all(struct sw_list_format *format, enum sw_list_by by)
{
	unsigned id;

	format->count = 0;
	for (id = 0; id < SW_LIST_COLUMNS; id++) {
		if (sw_list_has(by, id) &&
		    sw_list_columns[id].kind != SW_LIST_WORDS)
			put(format, id);
	}
}

void sw_list_order_default(struct sw_list_format *order, enum sw_list_by by)
{
	static const enum sw_list_column_id columns[] = {
		[SW_LIST_BY_RUN] = SW_LIST_START,
		[SW_LIST_BY_GROUP] = SW_LIST_ALLOCATED_CPU,
		[SW_LIST_BY_DAY] = SW_LIST_DAY,
	};

	*order = (struct sw_list_format){
		.items = { { .column = columns[by], .is_descending = true } },
		.count = 1,
	};
}

static bool is_named(const struct sw_list_column *column, const char *name)
{
	return column->name &&
	       (!strcasecmp(name, column->name) ||
		!strcasecmp(name, column->head) ||
		(column->other_name && !strcasecmp(name, column->other_name)));
}

static int refuse(struct sw_error *error, const char *name,
		  enum sw_list_by by, bool is_known)
{
	errno = EINVAL;
	if (is_known)
		return sw_error_set(error, "lines by %s have no column \"%s\"",
				    by_names[by], name);
	return sw_error_set(error, "no column \"%s\"; \"stepwell list "
			    "--format help\" lists the columns", name);
}

/* Parse "-name%30". */
static int parse_place(struct sw_list_place *place, enum sw_list_by by,
		       const char *text, struct sw_error *error)
{
	char name[NAME_SIZE], *percent;
	uint64_t width = 0;
	unsigned id;

	place->is_descending = *text == '-';
	snprintf(name, sizeof(name), "%s", text + place->is_descending);
	percent = strchr(name, '%');
	if (percent)
		*percent++ = '\0';
	if (percent && sw_count_parse(percent, 1, WIDTH_MAX, &width) < 0) {
		errno = EINVAL;
		return sw_error_set(error, "\"%s\" is not a width from 1 to "
				    "%d", percent, WIDTH_MAX);
	}
	place->width = (unsigned)width;
	for (id = 0; id < SW_LIST_COLUMNS; id++) {
		if (!is_named(&sw_list_columns[id], name))
			continue;
		place->column = id;
		return sw_list_has(by, id) ? 0 : refuse(error, name, by, true);
	}
	return refuse(error, name, by, false);
}

int sw_list_format_parse(struct sw_list_format *format, enum sw_list_by by,
			 const char *text, struct sw_error *error)
{
	char word[NAME_SIZE];
	size_t length;

	if (*text == '+')
		text++;
	else
		format->count = 0;
	do {
		length = strcspn(text, ",");
		snprintf(word, sizeof(word), "%.*s", (int)length, text);
		if (format->count == SW_LIST_FORMAT_MAX) {
			errno = EINVAL;
			return sw_error_set(error, "more than %d columns",
					    SW_LIST_FORMAT_MAX);
		}
		if (parse_place(&format->items[format->count], by, word,
				error) < 0)
			return -1;
		format->count++;
		text += length;
	} while (*text++ == ',');
	return 0;
}

bool sw_list_format_has(const struct sw_list_format *format,
			enum sw_list_column_id column)
{
	size_t i;

	for (i = 0; i < format->count; i++) {
		if (format->items[i].column == column)
			return true;
	}
	return false;
}

void sw_list_columns_print(void)
{
	const struct sw_report_style style = sw_style_of_stdout();
	const struct sw_list_column *column;
	char first[NAME_SIZE];
	unsigned id;

	for (id = 0; id < SW_LIST_COLUMNS; id++) {
		column = &sw_list_columns[id];
		if (!column->name)
			continue;
		snprintf(first, sizeof(first), "%-23s %-10s ", column->name,
			 column->other_name ? column->other_name : "");
		sw_paragraph_print(stdout, column->help, first,
				   "                                   ",
				   &style);
	}
}

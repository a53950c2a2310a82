/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads traces: from the fields of a record to a run and its group. */
#include "analyzer/trace.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/records.h"
#include "analyzer/trace_format.h"
#include "analyzer/trace_names.h"

static const struct sw_trace_format *const formats[] = {
	&sw_trace_format_csv,
	&sw_trace_format_nextflow,
	NULL,
};

enum { COLUMNS_MAX = 64, NOT_THERE = -1, TEXT_SIZE = 512 };

struct reader {
	struct sw_records *records;
	const struct sw_trace_format *format;
	const struct sw_trace_options *options;
	/* Of each column of the format the field that has it. */
	int fields[COLUMNS_MAX];
	size_t header_count;
	struct sw_trace_names *names;
};

static int find_field(const struct sw_records *records, const char *name,
		      size_t length)
{
	size_t count = sw_records_field_count(records), i;

	for (i = 0; i < count; i++) {
		const char *field = sw_records_field(records, i);

		if (strlen(field) == length && !strncmp(field, name, length))
			return (int)i;
	}
	return NOT_THERE;
}

static bool has_one_of(const struct sw_records *records, const char *names)
{
	while (*names) {
		size_t length = strcspn(names, "|");

		if (find_field(records, names, length) != NOT_THERE)
			return true;
		names += length + (names[length] == '|');
	}
	return false;
}

static int look_for_format(struct reader *reader, struct sw_error *error)
{
	const struct sw_trace_format *const *format;

	for (format = formats; *format; format++) {
		if (has_one_of(reader->records, (*format)->mark))
			break;
	}
	/* Without any mark the complaint is about the first format's. */
	reader->format = *format ? *format : formats[0];
	if (*format)
		return 0;
	errno = EINVAL;
	return sw_error_set(error, "%s:%lu: neither a header with the columns "
			    "wf and task nor one of Nextflow's trace, so the "
			    "file is not used; stepwell-backtest(1) names the "
			    "columns", sw_records_path(reader->records),
			    sw_records_line(reader->records));
}

static int take_header(struct reader *reader, struct sw_error *error)
{
	const char *const (*needed)[2];
	const struct sw_trace_column *column;
	int rc = sw_records_next(reader->records, error);
	size_t i = 0;

	if (rc == 0) {
		errno = EINVAL;
		sw_error_set(error, "%s: empty, so there is nothing to replay",
			     sw_records_path(reader->records));
	}
	if (rc <= 0 || look_for_format(reader, error) < 0)
		return -1;
	for (needed = reader->format->needed; (*needed)[0]; needed++) {
		if (has_one_of(reader->records, (*needed)[0]))
			continue;
		errno = EINVAL;
		return sw_error_set(error, "%s:%lu: no column %s, so %s and "
				    "the file is not used",
				    sw_records_path(reader->records),
				    sw_records_line(reader->records),
				    (*needed)[0], (*needed)[1]);
	}
	for (column = reader->format->columns; column->name; column++)
		reader->fields[i++] = find_field(reader->records, column->name,
						 strlen(column->name));
	reader->header_count = sw_records_field_count(reader->records);
	return 0;
}

static const struct sw_trace_row empty_row = {
	.workflow = "", .task = "", .tag = "", .status = "", .input_kind = "",
	.submit_seconds = NAN, .start_seconds = NAN, .end_seconds = NAN,
	.elapsed_seconds = NAN, .need_bytes = NAN, .rss_bytes = NAN,
	.requested_bytes = NAN, .requested_cores = NAN, .cpu_ratio = NAN,
	.requested_seconds = NAN, .input_bytes = NAN, .attempt = NAN,
	.exit = NAN,
};

static bool is_nothing(const char *text)
{
	return !*text || !strcmp(text, "-") || !strcmp(text, "NA") ||
	       !strcmp(text, "nan") || !strcmp(text, "NaN");
}

static void note_absurd(const struct reader *reader,
			const struct sw_trace_column *column, const char *text,
			struct sw_trace_rows *rows)
{
	struct sw_error error;

	if (rows->absurd)
		return;
	sw_error_set(&error, "%s:%lu: column %s: \"%.40s\" cannot be (%s), so "
		     "the row is not used", sw_records_path(reader->records),
		     sw_records_line(reader->records), column->name, text,
		     column->expected);
	memcpy(rows->first_absurd, error.text, sizeof(rows->first_absurd));
}

/* 1: taken, 0: a value that cannot be, -1: no value at all. */
static int take_number(const struct reader *reader,
		       const struct sw_trace_column *column, const char *text,
		       void *field, struct sw_trace_rows *rows,
		       struct sw_error *error)
{
	double value;

	if (is_nothing(text))
		return 1;
	if (column->parse(text, &value) < 0) {
		errno = EINVAL;
		return sw_error_set(error, "%s:%lu: column %s: \"%.40s\" is "
				    "not %s, so units may be mixed and the "
				    "file is not used",
				    sw_records_path(reader->records),
				    sw_records_line(reader->records),
				    column->name, text, column->expected);
	}
	if (value < 0 || value > column->max ||
	    (value > 0 && value < column->min)) {
		note_absurd(reader, column, text, rows);
		return 0;
	}
	memcpy(field, &value, sizeof(value));
	return 1;
}

/* 1 with a row, 0: not to be used, -1. */
static int take_row(const struct reader *reader, struct sw_trace_row *row,
		    struct sw_trace_rows *rows, struct sw_error *error)
{
	const struct sw_trace_column *column = reader->format->columns;
	bool is_absurd = false;
	size_t i;

	if (sw_records_field_count(reader->records) != reader->header_count) {
		errno = EINVAL;
		return sw_error_set(error, "%s:%lu: %zu fields where the "
				    "header has %zu, so the file is not used",
				    sw_records_path(reader->records),
				    sw_records_line(reader->records),
				    sw_records_field_count(reader->records),
				    reader->header_count);
	}
	*row = empty_row;
	for (i = 0; column->name; column++, i++) {
		void *field = (char *)row + column->offset;
		const char *text;
		int rc = 1;

		if (reader->fields[i] == NOT_THERE)
			continue;
		text = sw_records_field(reader->records,
					(size_t)reader->fields[i]);
		if (!column->parse)
			memcpy(field, &text, sizeof(text));
		else
			rc = take_number(reader, column, text, field, rows,
					 error);
		if (rc < 0)
			return -1;
		is_absurd |= rc == 0;
	}
	if (is_absurd)
		rows->absurd++;
	return !is_absurd;
}

static bool is_completed(const char *status)
{
	return is_nothing(status) || !strcmp(status, "COMPLETED") ||
	       !strcmp(status, "CACHED");
}

static double input_of(const struct sw_trace_row *row,
		       enum sw_trace_input wanted, struct sw_trace_rows *rows)
{
	/* Bytes that a task read are known when it has read them. */
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

static void note_gaps(struct sw_trace_rows *rows, const struct sw_run *run)
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
			    struct sw_trace_rows *rows)
{
	struct sw_run run = sw_run_unknown;

	run.state = SW_RUN_COMPLETED;
	set_times(&run, row);
	run.attempt = row->attempt >= 1 ? (unsigned)row->attempt : 0;
	run.need_bytes = need_of(row, options->is_of_rss);
	run.need_upper_bytes = run.need_bytes;
	run.requested_bytes = positive(row->requested_bytes);
	run.requested_cores = positive(row->requested_cores);
	run.requested_seconds = positive(row->requested_seconds);
	run.used_core_seconds = row->cpu_ratio * run.elapsed_seconds;
	run.input_bytes = input_of(row, options->input, rows);
	note_gaps(rows, &run);
	return run;
}

static int put_run(struct sw_trace *trace, struct sw_trace_names *names,
		   const char *workflow, const char *task,
		   const struct sw_run *run)
{
	size_t room = trace->count ? 2 * trace->count : 64, group;
	struct sw_replay_run *runs;

	/* Full where the count is a power of two. */
	if (trace->count == 0 ||
	    (trace->count >= 64 && !(trace->count & (trace->count - 1)))) {
		runs = realloc(trace->runs, room * sizeof(*runs));
		if (!runs)
			return -1;
		trace->runs = runs;
	}
	if (sw_trace_names_get(names, trace, workflow, task, &group) < 0)
		return -1;
	trace->runs[trace->count++] = (struct sw_replay_run){ *run, group };
	trace->largest_bytes = fmax(trace->largest_bytes,
				    fmax(run->need_bytes,
					 run->requested_bytes));
	return 0;
}

static int take_run(struct reader *reader, struct sw_trace *trace,
		    struct sw_error *error)
{
	struct sw_trace_rows *rows = &trace->rows;
	struct sw_trace_row row;
	struct sw_run run;
	char text[TEXT_SIZE];
	int rc;

	rows->read++;
	rc = take_row(reader, &row, rows, error);
	if (rc <= 0)
		return rc;
	if (reader->format->complete)
		reader->format->complete(&row, text, sizeof(text));
	if (!is_completed(row.status)) {
		rows->failed++;
		return 0;
	}
	if (isnan(need_of(&row, reader->options->is_of_rss))) {
		rows->without_need++;
		return 0;
	}
	run = run_of(&row, reader->options, rows);
	rows->usable++;
	if (put_run(trace, reader->names, row.workflow, row.task, &run) < 0)
		return sw_error_errno(error, "%s",
				      sw_records_path(reader->records));
	return 0;
}

int sw_trace_init(struct sw_trace *trace, const char *path,
		  const struct sw_trace_options *options,
		  struct sw_error *error)
{
	struct reader reader = { .options = options };
	int rc = -1;

	*trace = (struct sw_trace){ 0 };
	reader.names = sw_trace_names_new();
	if (!reader.names)
		return sw_error_errno(error, "%s", path);
	reader.records = sw_records_open(path, error);
	if (reader.records && take_header(&reader, error) == 0) {
		while ((rc = sw_records_next(reader.records, error)) > 0) {
			if (take_run(&reader, trace, error) < 0)
				break;
		}
		if (rc > 0)
			rc = -1;
	}
	sw_records_close(reader.records);
	sw_trace_names_free(reader.names);
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

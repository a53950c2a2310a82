/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the rows of traces: from the fields of a record to numbers. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "analyzer/traces/records.h"
#include "analyzer/traces/trace_format.h"
#include "common/missing.h"

static const struct sw_trace_format *const formats[] = {
	&sw_trace_format_csv,
	&sw_trace_format_nextflow,
	NULL,
};

enum { COLUMNS_MAX = 64, TEXT_SIZE = 512 };

struct reader {
	struct sw_records *records;
	const struct sw_trace_format *format;
	/* Of each column of the format the field that has it. */
	int fields[COLUMNS_MAX];
	size_t header_count;
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
	return SW_NO_INDEX;
}

static bool has_one_of(const struct sw_records *records, const char *names)
{
	while (*names) {
		size_t length = strcspn(names, "|");

		if (find_field(records, names, length) != SW_NO_INDEX)
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
	.workflow = "", .task = "", .process = "", .id = "", .hash = "",
	.name = "", .status = "", .input_kind = "", .format = "",
	.start_text = "", .end_text = "",
	.submit_seconds = NAN, .start_seconds = NAN, .end_seconds = NAN,
	.elapsed_seconds = NAN, .need_bytes = NAN, .rss_bytes = NAN,
	.requested_bytes = NAN, .requested_cores = NAN, .cpu_ratio = NAN,
	.requested_seconds = NAN, .input_bytes = NAN, .attempt = NAN,
	.exit = NAN,
};

static void note_impossible(const struct reader *reader,
			    const struct sw_trace_column *column,
			    const char *text, struct sw_trace_rows *rows)
{
	struct sw_error error;

	if (rows->impossible)
		return;
	sw_error_set(&error, "%s:%lu: column %s: \"%.40s\" is impossible (%s), "
		     "so the row is not used", sw_records_path(reader->records),
		     sw_records_line(reader->records), column->name, text,
		     column->expected);
	memcpy(rows->first_impossible, error.text,
	       sizeof(rows->first_impossible));
}

/* 1: taken, 0: a value that cannot be, -1: no value at all. */
static int take_number(const struct reader *reader,
		       const struct sw_trace_column *column, const char *text,
		       void *field, struct sw_trace_rows *rows,
		       struct sw_error *error)
{
	double value;

	if (sw_trace_is_nothing(text))
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
		note_impossible(reader, column, text, rows);
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
	bool is_impossible = false;
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

		if (reader->fields[i] == SW_NO_INDEX)
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
		is_impossible |= rc == 0;
	}
	if (is_impossible)
		rows->impossible++;
	return !is_impossible;
}

static int take_rows(const struct reader *reader, sw_trace_row_f seen,
		     void *context, struct sw_trace_rows *rows,
		     struct sw_error *error)
{
	struct sw_trace_row row;
	char text[TEXT_SIZE];
	int rc;

	while ((rc = sw_records_next(reader->records, error)) > 0) {
		rows->read++;
		rc = take_row(reader, &row, rows, error);
		if (rc < 0)
			return -1;
		if (rc == 0)
			continue;
		row.format = reader->format->name;
		if (reader->format->complete)
			reader->format->complete(&row, text, sizeof(text));
		if (seen(context, &row) < 0)
			return sw_error_errno(error, "%s",
					      sw_records_path(
						      reader->records));
	}
	return rc;
}

int sw_trace_each_row(const char *path, sw_trace_row_f seen, void *context,
		      struct sw_trace_rows *rows, struct sw_error *error)
{
	struct reader reader = { .records = sw_records_open(path, error) };
	int rc = -1;

	*rows = (struct sw_trace_rows){ 0 };
	if (reader.records && take_header(&reader, error) == 0)
		rc = take_rows(&reader, seen, context, rows, error);
	sw_records_close(reader.records);
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the rows of traces: convert the fields of a record to numbers. */
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
	/* Field of each column of the format */
	int fields[COLUMNS_MAX];
	size_t header_count;
	/* First verbatim column, and the first column behind them */
	size_t verbatim, behind;
	bool has_begin;		/* there are numbers before them */
	size_t lead;		/* number of fields in every first line */
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
	/* Without any mark, complain about the first format. */
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

/* Is the header's field among the names "a|b"? */
static bool is_one_of(const char *field, const char *names)
{
	size_t size = strlen(field);

	for (; names && *names; names += strcspn(names, "|"),
	     names += *names == '|') {
		if (strcspn(names, "|") == size && !strncmp(names, field, size))
			return true;
	}
	return false;
}

/* Does the column of this field restrict its text? */
static bool has_form(const struct reader *reader, int field)
{
	const struct sw_trace_column *column = reader->format->columns;
	size_t i;

	for (i = 0; column[i].name; i++) {
		if (reader->fields[i] == field &&
		    (column[i].parse || column[i].is_form))
			return true;
	}
	return false;
}

static void find_verbatim(struct reader *reader)
{
	size_t i;

	reader->verbatim = reader->behind = reader->header_count;
	for (i = reader->header_count; i-- > 0;) {
		if (!is_one_of(sw_records_field(reader->records, i),
			       reader->format->verbatim))
			continue;
		if (reader->verbatim == reader->header_count)
			reader->behind = i + 1;
		reader->verbatim = i;
	}
	for (i = 0; reader->format->columns[i].name; i++)
		reader->has_begin |= reader->format->columns[i].parse &&
				     reader->fields[i] != SW_NO_INDEX &&
				     (size_t)reader->fields[i] <
					     reader->verbatim;
	while (reader->lead < reader->verbatim &&
	       has_form(reader, (int)reader->lead))
		reader->lead++;
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
	find_verbatim(reader);
	return 0;
}

/*
 * Count the numbers in these columns, whose fields are shifted; -1: a text does
 * not fit its column.
 */
static int count_numbers(const struct reader *reader, size_t from, size_t until,
			 size_t shift)
{
	const struct sw_trace_column *column = reader->format->columns;
	int count = 0;
	size_t i;

	for (i = 0; column[i].name; i++) {
		size_t field = (size_t)reader->fields[i];
		const char *text, *line;
		double value;

		if ((!column[i].parse && !column[i].is_form) ||
		    reader->fields[i] == SW_NO_INDEX || field < from ||
		    field >= until)
			continue;
		text = sw_records_field(reader->records, field + shift);
		line = field == 0 ? strrchr(text, '\n') : NULL;
		text = line ? line + 1 : text;
		if (sw_trace_is_nothing(text))
			continue;
		if (column[i].parse ? column[i].parse(text, &value) < 0 :
				      !column[i].is_form(text))
			return -1;
		count += column[i].parse != NULL;
	}
	return count;
}

/* Do the fields from first on begin a row?  The field first may end another
 * one. */
static bool is_begin(const struct reader *reader, size_t first)
{
	size_t count = sw_records_field_count(reader->records) - first;
	size_t until = count < reader->verbatim ? count : reader->verbatim;

	return count >= reader->lead &&
	       count_numbers(reader, 0, until, first) > 0;
}

/* Does the row continue on the next line, within a text? */
static bool is_cut(const struct reader *reader)
{
	size_t count = sw_records_field_count(reader->records);

	if (!reader->format->verbatim || count < reader->header_count)
		return reader->format->verbatim != NULL;
	return reader->verbatim < reader->header_count &&
	       count_numbers(reader, reader->behind, reader->header_count,
			     count - reader->header_count) < 0;
}

/* Is the line the rest of a text in the last column? */
static bool is_rest(const struct reader *reader)
{
	return reader->verbatim < reader->header_count &&
	       reader->behind == reader->header_count && reader->has_begin &&
	       sw_records_field_count(reader->records) < reader->header_count &&
	       !is_begin(reader, 0);
}

static int refuse_row(const struct reader *reader, size_t count,
		      struct sw_error *error)
{
	errno = EINVAL;
	if (count >= reader->header_count &&
	    reader->verbatim < reader->header_count)
		return sw_error_set(error, "%s:%lu: the columns behind the "
				    "script cannot be read, so the file is not "
				    "used", sw_records_path(reader->records),
				    sw_records_line(reader->records));
	return sw_error_set(error, "%s:%lu: %zu field%s where the header has "
			    "%zu, so the file is not used",
			    sw_records_path(reader->records),
			    sw_records_line(reader->records), count,
			    count == 1 ? "" : "s", reader->header_count);
}

/* Read all lines of a row: 1, 0 at the end, or -1. */
static int next_row(const struct reader *reader, bool is_first,
		    struct sw_error *error)
{
	size_t count;
	int rc;

	do {
		rc = sw_records_next(reader->records, error);
	} while (rc > 0 && !is_first && is_rest(reader));
	while (rc > 0 && is_cut(reader)) {
		count = sw_records_field_count(reader->records);
		rc = sw_records_join(reader->records, error);
		if (rc == 0 || (rc > 0 && is_begin(reader, count - 1)))
			return refuse_row(reader, count, error);
	}
	return rc;
}

/* Return this record's field of a column in the header. */
static const char *field_of(const struct reader *reader, int field)
{
	size_t more = sw_records_field_count(reader->records) -
		      reader->header_count;

	return sw_records_field(reader->records, (size_t)field +
				((size_t)field >= reader->behind ? more : 0));
}

static const struct sw_trace_row empty_row = {
	.workflow = "", .task = "", .process = "", .id = "", .hash = "",
	.name = "", .status = "", .input_kind = "", .format = "",
	.start_text = "", .end_text = "",
	.submit_seconds = NAN, .start_seconds = NAN, .end_seconds = NAN,
	.elapsed_seconds = NAN, .need_bytes = NAN, .rss_bytes = NAN,
	.requested_bytes = NAN, .requested_cores = NAN, .cpu_ratio = NAN,
	.requested_seconds = NAN, .input_bytes = NAN, .attempt = NAN,
	.exit = NAN, .task_id = NAN,
};

/* Check the order of times; false, and counted: the row is impossible. */
static bool has_order(const struct reader *reader,
		      const struct sw_trace_row *row,
		      struct sw_trace_rows *rows)
{
	struct sw_error error;

	if (!(row->end_seconds < row->start_seconds))
		return true;
	sw_error_set(&error, "%s:%lu: ends before it starts, so the row is not "
		     "used", sw_records_path(reader->records),
		     sw_records_line(reader->records));
	if (rows->impossible++ == 0)
		memcpy(rows->first_impossible, error.text,
		       sizeof(rows->first_impossible));
	return false;
}

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

/* 1: taken; 0: an impossible value; -1: malformed. */
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

/* 1: a row; 0: unusable; -1. */
static int take_row(const struct reader *reader, struct sw_trace_row *row,
		    struct sw_trace_rows *rows, struct sw_error *error)
{
	const struct sw_trace_column *column = reader->format->columns;
	size_t count = sw_records_field_count(reader->records), i;
	bool is_impossible = false;

	if (count < reader->header_count ||
	    (count > reader->header_count &&
	     reader->verbatim == reader->header_count))
		return refuse_row(reader, count, error);
	*row = empty_row;
	for (i = 0; column->name; column++, i++) {
		void *field = (char *)row + column->offset;
		const char *text;
		int rc = 1;

		if (reader->fields[i] == SW_NO_INDEX)
			continue;
		text = field_of(reader, reader->fields[i]);
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

	while ((rc = next_row(reader, !rows->read, error)) > 0) {
		rows->read++;
		rc = take_row(reader, &row, rows, error);
		if (rc < 0)
			return -1;
		if (rc == 0)
			continue;
		row.format = reader->format->name;
		if (reader->format->complete)
			reader->format->complete(&row, text, sizeof(text));
		if (!has_order(reader, &row, rows))
			continue;
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

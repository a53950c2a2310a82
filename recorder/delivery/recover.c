/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Continue a profile that its writer did not finish. */
#include "recorder/delivery/recover.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/missing.h"
#include "recorder/sources/reading.h"
#include "recorder/tables/tables.h"

static int define_as_it_is(struct sw_writer *writer,
			   const struct sw_reader_table *table,
			   struct sw_error *error)
{
	struct sw_column columns[SW_TABLE_COLUMNS_MAX];
	const struct sw_table same = {
		.name = table->name, .scope = table->scope,
		.source = table->source, .columns = columns,
		.column_count = table->column_count,
	};
	size_t i;

	for (i = 0; i < table->column_count; i++)
		columns[i] = (struct sw_column){
			table->columns[i].name, table->columns[i].unit,
			table->columns[i].kind, "" };
	return sw_writer_table(writer, &same, error);
}

static const struct sw_source *find_source(const char *name)
{
	static const size_t length = sizeof(SW_READING_PREFIX) - 1;
	const struct sw_source *const *source = sw_sources;

	if (strncmp(name, SW_READING_PREFIX, length) != 0)
		return NULL;
	while (*source && strcmp((*source)->name, name + length) != 0)
		source++;
	return *source;
}

/*
 * Get the table as written by this release, keeping the source of its rows;
 * false if unknown.
 */
static bool find_now(struct sw_reading_layout *now,
		     const struct sw_reader_table *table)
{
	const struct sw_table *const *known = sw_tables;
	const struct sw_source *source = find_source(table->name);

	if (source)
		return sw_reading_layout(now, source, table->source, NULL) == 0;
	while (*known && strcmp((*known)->name, table->name) != 0)
		known++;
	if (!*known)
		return false;
	now->table = **known;
	now->table.source = table->source;
	return true;
}

static union sw_value value_of(const struct sw_reader_column *column,
			       enum sw_kind kind, size_t row)
{
	bool is_text = kind == SW_KIND_TEXT;
	union sw_value value;

	if (is_text)
		value.text = NULL;
	else
		value.number = SW_MISSING;
	if (!column || is_text != (column->kind == SW_KIND_TEXT))
		return value;
	if (is_text)
		value.text = column->texts[row];
	else
		value.number = column->numbers[row];
	return value;
}

/* Source of the columns of a written row; NULL: missing */
struct copied {
	const struct sw_reader_column *from[SW_TABLE_COLUMNS_MAX];
	enum sw_kind kind[SW_TABLE_COLUMNS_MAX];
	size_t count;
};

static int define(struct sw_writer *writer, struct copied *copied,
		  const struct sw_reader_table *table, struct sw_error *error)
{
	struct sw_reading_layout layout;
	const struct sw_table *now =
		find_now(&layout, table) ? &layout.table : NULL;
	size_t i;

	copied->count = now ? now->column_count : table->column_count;
	for (i = 0; i < copied->count; i++) {
		copied->from[i] =
			now ? sw_reader_find_column(table,
						    now->columns[i].name)
			    : &table->columns[i];
		copied->kind[i] =
			now ? now->columns[i].kind : table->columns[i].kind;
	}
	return now ? sw_writer_table(writer, now, error)
		   : define_as_it_is(writer, table, error);
}

static int copy_table(struct sw_writer *writer,
		      const struct sw_reader_table *table,
		      struct sw_error *error)
{
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	uint64_t usec = sw_clock_boottime_usec();
	struct copied copied;
	int number = define(writer, &copied, table, error);
	size_t row, i;

	if (number < 0)
		return -1;
	for (row = 0; row < table->row_count; row++) {
		for (i = 0; i < copied.count; i++)
			values[i] = value_of(copied.from[i], copied.kind[i],
					     row);
		if (sw_writer_row(writer, number, values, usec) < 0)
			return sw_error_errno(error, "%s", table->name);
	}
	return 0;
}

static struct sw_writer *copy(int spool_fd, const char *name,
			      const struct sw_reader *reader,
			      struct sw_error *error)
{
	/* An existing file is an unfinished copy. */
	struct sw_writer *writer = sw_writer_create(spool_fd, name, true,
						    error);
	size_t i;

	for (i = 0; writer && i < sw_reader_table_count(reader); i++) {
		if (copy_table(writer, sw_reader_table(reader, i), error) == 0)
			continue;
		sw_writer_destroy(writer);
		writer = NULL;
	}
	return writer;
}

/* Rename the old files during the copy, so that a failure loses nothing. */
static int set_aside(int spool_fd, const char *name)
{
	static const char *const suffixes[] = { ".tail", ".part" };
	char from[NAME_MAX + 16], to[NAME_MAX + 16];
	size_t i;

	snprintf(to, sizeof(to), "%s" SW_RECOVER_SUFFIX ".part", name);
	if (faccessat(spool_fd, to, F_OK, 0) == 0)
		return 0;	/* an earlier recovery failed after this */
	for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		snprintf(from, sizeof(from), "%s%s", name, suffixes[i]);
		snprintf(to, sizeof(to), "%s" SW_RECOVER_SUFFIX "%s", name,
			 suffixes[i]);
		if (renameat(spool_fd, from, spool_fd, to) < 0 &&
		    errno != ENOENT)
			return -1;
	}
	return 0;
}

static void remove_old(int spool_fd, const char *name)
{
	char old[NAME_MAX + 16];

	snprintf(old, sizeof(old), "%s" SW_RECOVER_SUFFIX ".part", name);
	unlinkat(spool_fd, old, 0);
	snprintf(old, sizeof(old), "%s" SW_RECOVER_SUFFIX ".tail", name);
	unlinkat(spool_fd, old, 0);
}

struct sw_writer *sw_recover(int spool_fd, const char *spool,
			     const char *name, struct sw_reader **reader,
			     struct sw_error *error)
{
	char path[PATH_MAX];
	struct sw_writer *writer;

	*reader = NULL;
	if (set_aside(spool_fd, name) < 0) {
		sw_error_errno(error, "%s", name);
		return NULL;
	}
	snprintf(path, sizeof(path), "%s/%s" SW_RECOVER_SUFFIX ".part", spool,
		 name);
	*reader = sw_reader_open(path, error);
	if (!*reader)
		return NULL;
	writer = copy(spool_fd, name, *reader, error);
	if (writer) {
		remove_old(spool_fd, name);
	} else {
		sw_reader_close(*reader);
		*reader = NULL;
	}
	return writer;
}

static bool is_series(const struct sw_reader_table *table)
{
	return strncmp(table->name, "series.", 7) == 0;
}

uint64_t sw_recover_last_usec(const struct sw_reader *reader)
{
	uint64_t last = SW_MISSING;
	size_t i, row;

	for (i = 0; i < sw_reader_table_count(reader); i++) {
		const struct sw_reader_table *table =
			sw_reader_table(reader, i);
		const struct sw_reader_column *time;

		if (!is_series(table))
			continue;
		time = sw_reader_find_column(table, "time_usec");
		for (row = 0; time && time->numbers && row < table->row_count;
		     row++)
			last = sw_max_u64(last, time->numbers[row]);
	}
	return last;
}

/* Rows with the same time, such as those of tasks, belong to one sample. */
static uint64_t count_times(const struct sw_reader_table *table, uint64_t step)
{
	const struct sw_reader_column *time =
		sw_reader_find_column(table, "time_usec");
	const struct sw_reader_column *of =
		sw_reader_find_column(table, "step");
	uint64_t count = 0, last = SW_MISSING;
	size_t row;

	if (!time || !time->numbers || !of || !of->numbers)
		return 0;
	for (row = 0; row < table->row_count; row++) {
		if (of->numbers[row] != step || time->numbers[row] == last)
			continue;
		last = time->numbers[row];
		count++;
	}
	return count;
}

uint64_t sw_recover_samples(const struct sw_reader *reader, uint64_t step)
{
	uint64_t count = 0, times;
	size_t i;

	for (i = 0; i < sw_reader_table_count(reader); i++) {
		const struct sw_reader_table *table =
			sw_reader_table(reader, i);

		times = is_series(table) ? count_times(table, step) : 0;
		if (times > count)
			count = times;
	}
	return count;
}

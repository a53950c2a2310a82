/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile left unfinished by another release is continued with all its
 * tables.
 */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recorder/delivery/recover.h"
#include "recorder/sources/reading.h"
#include "recorder/tables/tables.h"
#include "test/run_tests.h"
#include "test/temp_folder.h"

#define NAME "left.stepwell"
/* A column and a table that are no longer written. */
#define FORMER "former"

static char top[TEMP_FOLDER_SIZE];
static int fd;

static void setup(void)
{
	fd = temp_folder_open(top, "check_recover");
}

static void teardown(void)
{
	close(fd);
	temp_folder_remove(top);
}

/* Value of a cell of the column, in a file of any release. */
static union sw_value value_of(const struct sw_column *column)
{
	union sw_value value;

	if (column->kind == SW_KIND_TEXT)
		value.text = column->name;
	else
		value.number = strlen(column->name);
	return value;
}

/*
 * Write a table of an earlier release, with one row: without its last column,
 * and with another one, first.
 */
static void write_table(struct sw_writer *writer, const struct sw_table *now)
{
	struct sw_column columns[SW_TABLE_COLUMNS_MAX] = {
		{ FORMER, "", SW_KIND_STATE, "" },
	};
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	struct sw_table then = *now;
	struct sw_error error;
	size_t i;
	int number;

	ck_assert_uint_gt(now->column_count, 1);
	memcpy(columns + 1, now->columns,
	       (now->column_count - 1) * sizeof(*columns));
	then.columns = columns;
	for (i = 0; i < then.column_count; i++)
		values[i] = value_of(&columns[i]);
	number = sw_writer_table(writer, &then, &error);
	ck_assert_msg(number >= 0, "%s", error.text);
	ck_assert_int_eq(sw_writer_row(writer, number, values, 1000000), 0);
}

/* Call act for every table of this release; returns their number. */
static size_t for_all(void (*act)(struct sw_writer *, const struct sw_table *),
		      struct sw_writer *writer)
{
	struct sw_reading_layout layout;
	struct sw_error error;
	size_t i, count = 0;

	for (i = 0; sw_tables[i]; i++, count++)
		act(writer, sw_tables[i]);
	for (i = 0; sw_sources[i]; i++, count++) {
		ck_assert_int_eq(sw_reading_layout(&layout, sw_sources[i],
						   "then", &error),
				 0);
		act(writer, &layout.table);
	}
	return count;
}

static struct sw_writer *leave_and_recover(size_t *count)
{
	static const struct sw_column column = { "value", "", SW_KIND_STATE,
						 "" };
	static const struct sw_table unknown = { FORMER, SW_SCOPE_STEP, "then",
						 &column, 1 };
	const union sw_value value = { .number = 7 };
	struct sw_writer *writer;
	struct sw_reader *reader;
	struct sw_error error;

	writer = sw_writer_create(fd, NAME, false, &error);
	ck_assert_ptr_nonnull(writer);
	*count = for_all(write_table, writer) + 1;
	ck_assert_int_eq(sw_writer_row(writer,
				       sw_writer_table(writer, &unknown, NULL),
				       &value, 1000000),
			 0);
	sw_writer_destroy(writer);
	writer = sw_recover(fd, top, NAME, &reader, &error);
	ck_assert_msg(writer != NULL, "%s", error.text);
	ck_assert_uint_eq(sw_reader_table_count(reader), *count);
	sw_reader_close(reader);
	return writer;
}

/* Append another row, with another source. */
static void go_on(struct sw_writer *writer, const struct sw_table *now)
{
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	struct sw_table elsewhere = *now;
	struct sw_error error;
	size_t i;
	int number;

	elsewhere.source = "elsewhere";
	number = sw_writer_table(writer, now, &error);
	ck_assert_msg(number >= 0, "%s", error.text);
	ck_assert_int_eq(sw_writer_table(writer, &elsewhere, &error), number);
	ck_assert_str_eq(sw_writer_source(writer, number), now->source);
	for (i = 0; i < now->column_count; i++)
		values[i] = value_of(&now->columns[i]);
	ck_assert_int_eq(sw_writer_row(writer, number, values, 2000000), 0);
}

static void check_cell(const struct sw_reader_table *table, size_t row,
		       const struct sw_column *column, bool is_there)
{
	const struct sw_reader_column *found =
		sw_reader_find_column(table, column->name);
	union sw_value value = value_of(column);

	ck_assert_msg(found != NULL, "%s: no %s", table->name, column->name);
	if (column->kind != SW_KIND_TEXT)
		ck_assert_uint_eq(found->numbers[row],
				  is_there ? value.number : SW_MISSING);
	else if (is_there)
		ck_assert_str_eq(found->texts[row], value.text);
	else
		ck_assert_ptr_null(found->texts[row]);
}

static struct sw_reader *result;

static void check_table(struct sw_writer *unused, const struct sw_table *now)
{
	const struct sw_reader_table *table = sw_reader_find(result, now->name);
	size_t i;

	(void)unused;
	ck_assert_ptr_nonnull(table);
	ck_assert_uint_eq(table->row_count, 2);
	ck_assert_uint_eq(table->column_count, now->column_count);
	ck_assert_str_eq(table->source, now->source);
	for (i = 0; i < now->column_count; i++) {
		check_cell(table, 0, &now->columns[i],
			   i + 1 < now->column_count);
		check_cell(table, 1, &now->columns[i], true);
	}
}

START_TEST(every_table_of_another_release_goes_on)
{
	const struct sw_reader_table *unknown;
	struct sw_writer *writer;
	struct sw_error error;
	char path[128];
	size_t count;

	writer = leave_and_recover(&count);
	for_all(go_on, writer);
	ck_assert_int_eq(sw_writer_finish(writer, 3000000, &error), 0);
	sw_writer_destroy(writer);
	snprintf(path, sizeof(path), "%s/" NAME, top);
	result = sw_reader_open(path, &error);
	ck_assert_ptr_nonnull(result);
	ck_assert_uint_eq(sw_reader_table_count(result), count);
	for_all(check_table, NULL);
	unknown = sw_reader_find(result, FORMER);
	ck_assert_ptr_nonnull(unknown);
	ck_assert_uint_eq(unknown->row_count, 1);
	ck_assert_uint_eq(unknown->columns[0].numbers[0], 7);
	sw_reader_close(result);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("recover");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, every_table_of_another_release_goes_on);
	return run_tests("recover", tcase, NULL);
}

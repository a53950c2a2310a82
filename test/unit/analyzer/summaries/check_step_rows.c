/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder's table of steps, as readers get it: each column in its place. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/summaries/step_rows.h"
#include "common/missing.h"
#include "profiles/writer.h"
#include "recorder/tables/tables.h"
#include "test/run_tests.h"

static char folder[] = "/tmp/check_step_rows.XXXXXX";
static int folder_fd;
static struct sw_error error;
static struct sw_texts texts;
static struct sw_step_row row;
static bool is_night;

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(folder_fd, 0);
}

static void teardown(void)
{
	unlinkat(folder_fd, "2026-11-22.n1.stepwell", 0);
	close(folder_fd);
	rmdir(folder);
	sw_texts_fini(&texts);
}

/* A number that no other column has. */
static uint64_t number_of(const char *column)
{
	const struct sw_table *table = &sw_step_summaries_table;
	size_t i;

	for (i = 0; i < table->column_count; i++) {
		if (!strcmp(table->columns[i].name, column))
			return 1000003 * (i + 1);
	}
	ck_abort_msg("no column %s", column);
}

/* Write a row of numbers as above, and of texts: the names of their columns. */
static void write_row(void)
{
	const struct sw_table *table = &sw_step_summaries_table;
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	struct sw_writer *writer = sw_writer_create(
		folder_fd, "2026-11-22.n1.stepwell", false, &error);
	size_t i;

	ck_assert_ptr_nonnull(writer);
	for (i = 0; i < table->column_count; i++) {
		if (table->columns[i].kind == SW_KIND_TEXT)
			values[i].text = table->columns[i].name;
		else
			values[i].number = number_of(table->columns[i].name);
	}
	ck_assert_int_eq(sw_writer_row(writer,
				       sw_writer_table(writer, table, &error),
				       values, 1),
			 0);
	ck_assert_int_eq(sw_writer_finish(writer, 2, &error), 0);
	sw_writer_destroy(writer);
}

static int take(void *context, const struct sw_step_row *taken)
{
	(void)context;
	row = *taken;
	return 0;
}

static void read_row(void)
{
	const struct sw_reader_want want = {
		.only = is_night ? &sw_step_rows_only : NULL,
		.only_count = is_night,
	};
	const struct sw_step_rows_taker taker = { .texts = &texts,
						  .take = take };
	struct sw_reader *reader =
		sw_reader_open_in(folder_fd, "2026-11-22.n1.stepwell", false,
				  &want, &error);
	size_t unnamed = 0;

	ck_assert_msg(reader, "%s", error.text);
	ck_assert_int_eq(sw_step_rows_read(&taker, reader,
					   "2026-11-22.n1.stepwell", &unnamed),
			 0);
	ck_assert_uint_eq(unnamed, 0);
	sw_reader_close(reader);
}

static void check_text(uint32_t id, const char *column, bool is_of_night)
{
	ck_assert_str_eq(sw_texts_at(&texts, id),
			 is_night && !is_of_night ? "" : column);
}

static void check_number(uint64_t number, const char *column, bool is_of_night)
{
	ck_assert_uint_eq(number, is_night && !is_of_night
					  ? SW_MISSING
					  : number_of(column));
}

#define TEXT_NIGHT(name) check_text(row.name, #name, true);
#define TEXT_OTHERS(name) check_text(row.name, #name, false);
#define TEXT_NEVER(name)
#define CHECK_TEXT(name, size, readers, help) TEXT_##readers(name)
#define NUMBER_NIGHT(name) check_number(row.name, #name, true);
#define NUMBER_OTHERS(name) check_number(row.name, #name, false);
#define NUMBER_NEVER(name)
#define CHECK_NUMBER(name, unit, kind, readers, help) NUMBER_##readers(name)
#define CHECK_LIMITED(NAME, name) \
	check_number(row.limited_usec[SW_LIMITED_BY_##NAME], \
		     "limited_by_" name "_usec", true);

START_TEST(each_column)
{
	is_night = _i;
	write_row();
	read_row();
	SW_SUMMARY_JOB_FIELDS(CHECK_TEXT, CHECK_NUMBER)
	SW_SUMMARY_STEP_FIELDS(CHECK_TEXT, CHECK_NUMBER)
	SW_SUMMARY_LAST_FIELDS(CHECK_TEXT, CHECK_NUMBER)
	SW_LIMITED_BY_EACH(CHECK_LIMITED)
	ck_assert_str_eq(sw_texts_at(&texts, row.node), "n1");
	ck_assert(!row.is_correction);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("step_rows");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, each_column, 0, 2);
	return run_tests("step_rows", tests, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check that the recorder writes all columns that the analyzer looks up by
 * name: a wrong name would silently be missing.  All the recorder's tables are
 * written to one profile; this program's look-ups go through here (--wrap) and
 * are searched in that profile, whatever the file.
 */
#include <check.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/import/import_internal.h"
#include "analyzer/recordings/jobfile.h"
#include "analyzer/report/loaded.h"
#include "analyzer/rules/rule.h"
#include "analyzer/trust/digests.h"
#include "analyzer/view/view.h"
#include "common/need.h"
#include "profiles/writer.h"
#include "recorder/sources/reading.h"
#include "recorder/tables/tables.h"
#include "test/load.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

static char folder[] = "/tmp/check_columns.XXXXXX";
static char all_path[64], some_path[64];
static int folder_fd;
static struct sw_reader *all;
static struct sw_error error;
static size_t asked;

const struct sw_reader_table *
__real_sw_reader_find(const struct sw_reader *reader, const char *table);
/* Reports decode only some columns of large tables: all that are looked up. */
static void check_decoded(const char *table, const char *column)
{
	const char *const *name;
	size_t i;

	for (i = 0; i < SW_VIEW_ONLY_COUNT; i++) {
		if (strcmp(sw_view_only[i].table, table) != 0)
			continue;
		for (name = sw_view_only[i].columns;
		     *name && strcmp(*name, column) != 0; name++)
			;
		ck_assert_msg(*name || !strcmp(column, "time_usec") ||
			      !strcmp(column, "step"), "\"%s\" is looked up "
			      "in \"%s\": add it in view_columns.c", column,
			      table);
	}
}

const struct sw_reader_table *
__wrap_sw_reader_find(const struct sw_reader *reader, const char *table);
const struct sw_reader_column *
__real_sw_reader_find_column(const struct sw_reader_table *table,
			     const char *column);
const struct sw_reader_column *
__wrap_sw_reader_find_column(const struct sw_reader_table *table,
			     const char *column);

static bool has_column(const char *table, const char *column)
{
	const struct sw_reader_table *found =
		__real_sw_reader_find(all, table);

	ck_assert_msg(found != NULL, "the recorder has no table \"%s\"", table);
	return __real_sw_reader_find_column(found, column) != NULL;
}

/* Columns looked up in any table, for series and for their subjects. */
static bool is_asked_of_all(const char *column)
{
	return !strcmp(column, "time_usec") || !strcmp(column, "step") ||
	       !strcmp(column, "subject");
}

static void check_written(const char *table, const char *column)
{
	asked++;
	ck_assert_msg(has_column(table, column) || is_asked_of_all(column) ||
		      /* Read like NVIDIA's, which have more. */
		      (!strcmp(table, "series.gpu_amd") &&
		       has_column("series.gpu", column)),
		      "the recorder's \"%s\" has no column \"%s\"", table,
		      column);
}

const struct sw_reader_table *
__wrap_sw_reader_find(const struct sw_reader *reader, const char *table)
{
	check_written(table, "step");
	return __real_sw_reader_find(reader, table);
}

const struct sw_reader_column *
__wrap_sw_reader_find_column(const struct sw_reader_table *table,
			     const char *column)
{
	check_written(table->name, column);
	check_decoded(table->name, column);
	return __real_sw_reader_find_column(table, column);
}

/* Numbers grow with row and column; a text is a source's name, or a number. */
static void put_row(struct sw_writer *writer, int number,
		    const struct sw_table *table, uint64_t row,
		    const char *source)
{
	union sw_value values[SW_TABLE_COLUMNS_MAX] = { { 0 } };
	size_t i;

	ck_assert_int_ge(number, 0);
	for (i = 0; i < table->column_count; i++) {
		const struct sw_column *column = &table->columns[i];

		if (column->kind == SW_KIND_TEXT)
			values[i].text = !strcmp(column->name, "source") ?
					 source : "0";
		else if (column->kind == SW_KIND_TIME)
			values[i].number = 1000000 * (row + 1);
		else if (column->kind != SW_KIND_KEY)
			values[i].number = row * i;
	}
	ck_assert_int_eq(sw_writer_row(writer, number, values,
				       1000000 * (row + 1)), 0);
}

static void put_table(struct sw_writer *writer, const struct sw_table *table)
{
	const struct sw_source *const *source;
	int number = sw_writer_table(writer, table, &error);

	/* In "subjects", a row for each source that has any. */
	for (source = sw_sources; *source; source++)
		put_row(writer, number, table, 1, (*source)->name);
	put_row(writer, number, table, 2, "0");
}

static void put_source(struct sw_writer *writer,
		       const struct sw_source *source)
{
	int number = sw_reading_table(source, source->backend ?
				      source->backend : "0", writer, &error);
	struct sw_column columns[SW_TABLE_COLUMNS_MAX] = {
		{ "time_usec", "", SW_KIND_TIME, "" },
		{ "step", "", SW_KIND_KEY, "" },
		{ "subject", "", SW_KIND_KEY, "" },
	};
	const struct sw_table table = {
		.columns = columns,
		.column_count = sw_reading_first_column(source) +
				source->column_count,
	};
	uint64_t row;

	memcpy(columns + sw_reading_first_column(source), source->columns,
	       source->column_count * sizeof(*columns));
	for (row = 0; row < 3; row++)
		put_row(writer, number, &table, row, "0");
}

/* Write all of the recorder's tables except one; name NULL: all. */
static void write_all_but(const char *path, const char *name)
{
	struct sw_writer *writer = sw_writer_create(folder_fd,
						    strrchr(path, '/') + 1,
						    true, &error);
	const struct sw_table *const *table;
	const struct sw_source *const *source;

	ck_assert_msg(writer != NULL, "%s", error.text);
	for (table = sw_tables; *table; table++) {
		if (!name || strcmp((*table)->name, name) != 0)
			put_table(writer, *table);
	}
	for (source = sw_sources; *source; source++) {
		if (!name || strncmp(name, "series.", 7) != 0 ||
		    strcmp((*source)->name, name + 7) != 0)
			put_source(writer, *source);
	}
	ck_assert_int_eq(sw_writer_finish(writer, 4000000, &error), 0);
	sw_writer_destroy(writer);
}

static void ask(const char *path)
{
	struct sw_loaded loaded;

	/* Without a step there is nothing to report. */
	load_paths(&loaded, &path, 1, NULL, &error);
	sw_loaded_fini(&loaded);
}

START_TEST(of_every_table)
{
	size_t i;

	ask(all_path);
	ck_assert_uint_gt(asked, 400);
	/* Look-ups of fallbacks when a table is missing. */
	for (i = 0; i < sw_reader_table_count(all); i++) {
		write_all_but(some_path, sw_reader_table(all, i)->name);
		ask(some_path);
	}
}
END_TEST

static void ask_fixtures(const char *pattern)
{
	char path[1024];
	const char *top = getenv("abs_top_srcdir");
	glob_t found;
	size_t i;

	snprintf(path, sizeof(path), "%s/test/%s", top ? top : ".", pattern);
	ck_assert_int_eq(glob(path, 0, NULL, &found), 0);
	for (i = 0; i < found.gl_pathc; i++) {
		/* Some are the expected sentence. */
		if (text_profile_write(found.gl_pathv[i], some_path, true,
				       &error) == 0)
			ask(some_path);
	}
	globfree(&found);
}

START_TEST(of_profiles_with_something_to_say)
{
	ask_fixtures("rules/*/*.txt");
	ask_fixtures("reports/*.txt");
	ck_assert_uint_gt(asked, 10000);
}
END_TEST

START_TEST(where_a_job_is_looked_for)
{
	struct sw_jobfile file = { .path = all_path };

	sw_jobfile_read(&file, NULL);
	ck_assert(!file.is_unread);
	ck_assert_uint_gt(asked, 10);
}
END_TEST

START_TEST(of_summaries)
{
	struct sw_places places = { .summaries_dir = folder };
	struct sw_judge *judge = sw_judge_new(&places, &error);
	struct sw_import import = { 0 };
	struct sw_digests *digests;

	ck_assert_int_eq(sw_import_summary(&import, judge, all_path, &error),
			 0);
	ck_assert_uint_gt(import.summaries.count, 0);
	ck_assert_uint_gt(asked, 15);
	sw_step_summaries_fini(&import.summaries);
	sw_judge_free(judge);
	asked = 0;
	digests = sw_digests_add(NULL, folder_fd, folder, geteuid());
	ck_assert_ptr_nonnull(digests);
	ck_assert_uint_gt(asked, 4);
	sw_digests_free(digests);
}
END_TEST

START_TEST(in_tables)
{
	const struct sw_rule *const *rule;
	char table[64];
	size_t i;

	for (rule = sw_rules; *rule; rule++) {
		for (i = 0; i < SW_RULE_NEEDS_MAX && (*rule)->needs[i].table;
		     i++) {
			check_written((*rule)->needs[i].table,
				      (*rule)->needs[i].column);
			check_decoded((*rule)->needs[i].table,
				      (*rule)->needs[i].column);
		}
	}
	for (i = 0; i < SW_NEED_FIELDS; i++) {
		snprintf(table, sizeof(table), "series.%s",
			 sw_need_fields[i].source);
		check_written(table, sw_need_fields[i].column);
		check_decoded(table, sw_need_fields[i].column);
	}
}
END_TEST

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(all_path, sizeof(all_path), "%s/2026-01-01.n1.stepwell",
		 folder);
	snprintf(some_path, sizeof(some_path), "%s/some", folder);
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	write_all_but(all_path, NULL);
	all = sw_reader_open(all_path, &error);
	ck_assert_msg(all != NULL, "%s", error.text);
}

static void teardown(void)
{
	sw_reader_close(all);
	unlink(all_path);
	unlink(some_path);
	rmdir(folder);
	close(folder_fd);
}

int main(void)
{
	TCase *tests = tcase_create("are written");

	/* Many files are written and read, perhaps on a busy machine. */
	tcase_set_timeout(tests, 300);
	tcase_add_unchecked_fixture(tests, setup, teardown);
	tcase_add_test(tests, of_every_table);
	tcase_add_test(tests, of_profiles_with_something_to_say);
	tcase_add_test(tests, where_a_job_is_looked_for);
	tcase_add_test(tests, of_summaries);
	tcase_add_test(tests, in_tables);
	return run_tests("columns", tests, NULL);
}

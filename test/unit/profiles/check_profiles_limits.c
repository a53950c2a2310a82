/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cost of a profile for its reader, and partial reading: limits, excluded
 * tables, links.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "profiles_kit.h"
#include "profiles_rows.h"
#include "test/bomb.h"
#include "test/run_tests.h"

enum { FRAMES = 4000 };

#define MIB ((size_t)1 << 20)

static struct kit kit;
static struct sw_error error;

static void setup(void)
{
	kit_init(&kit);
}

static void teardown(void)
{
	kit_fini(&kit);
}

static void make_bomb(const char *table, bool is_text, size_t count)
{
	const struct bomb bomb = {
		.job_id = 123, .uid = 1, .table = table, .is_text = is_text,
		.count = count,
	};

	ck_assert_msg(bomb_write(&bomb, kit.dirfd, "bomb", &error) == 0, "%s",
		      error.text);
}

static struct sw_reader *open_with(const struct sw_reader_want *want)
{
	return sw_reader_open_in(kit.dirfd, kit_file(&kit, "bomb"), false,
				 want, &error);
}

static void is_refused(const struct sw_reader_want *want)
{
	errno = 0;
	ck_assert_ptr_null(open_with(want));
	ck_assert_int_eq(errno, EFBIG);
	ck_assert_ptr_nonnull(strstr(error.text, "holds more"));
}

/* Half a megabyte that expands to 700. */
START_TEST(test_repeated_frames)
{
	make_bomb("series.cpu", false, FRAMES);
	is_refused(NULL);
	make_bomb("events", true, FRAMES);
	is_refused(NULL);
}
END_TEST

/* A few such frames are acceptable, unless a lower limit was requested. */
START_TEST(test_less_is_asked_for)
{
	const struct sw_reader_want little = { .values_max_bytes = MIB };
	const struct sw_reader_want short_file = { .file_max_bytes = 100 };
	struct sw_reader *reader;

	make_bomb("series.cpu", false, 16);
	reader = open_with(NULL);
	ck_assert_ptr_nonnull(reader);
	ck_assert_uint_gt(sw_reader_held_bytes(reader), 2 * MIB);
	ck_assert_uint_lt(sw_reader_held_bytes(reader), 16 * MIB);
	sw_reader_close(reader);
	is_refused(&little);
	ck_assert_ptr_null(open_with(&short_file));
	ck_assert_int_eq(errno, EFBIG);
}
END_TEST

START_TEST(test_series_left_out)
{
	const struct sw_reader_want want = {
		.no_series = true, .values_max_bytes = MIB,
	};
	struct sw_reader *reader;

	make_bomb("series.cpu", false, FRAMES);
	reader = open_with(&want);
	ck_assert_ptr_nonnull(reader);
	ck_assert_ptr_null(sw_reader_find(reader, "series.cpu"));
	ck_assert_ptr_nonnull(sw_reader_find(reader, "identity"));
	ck_assert_uint_eq(sw_reader_health(reader)->frames_damaged, 0);
	ck_assert_uint_lt(sw_reader_held_bytes(reader), MIB);
	sw_reader_close(reader);
}
END_TEST

/* In frames with both kinds the others are complete; also those of the tail. */
START_TEST(test_the_others_are_whole)
{
	static const struct sw_reader_want want = { .no_series = true };
	struct sw_writer *writer = kit_create(&kit, "bomb");
	const struct sw_reader_table *events;
	struct sw_reader *reader;

	for (uint64_t i = 0; i < 1000; i++) {
		if (i % 300 == 299)
			ck_assert_int_eq(sw_writer_flush(writer, i), 0);
		ck_assert_int_eq(kit_row(&kit, writer, i, i), 0);
	}
	reader = open_with(&want);
	ck_assert_ptr_nonnull(reader);
	ck_assert_ptr_null(sw_reader_find(reader, "series.kit"));
	events = sw_reader_find(reader, "events");
	ck_assert_ptr_nonnull(events);
	ck_assert_uint_eq(events->row_count, 500);
	for (size_t i = 0; i < events->row_count; i++)
		ck_assert_uint_eq(sw_reader_find_column(events, "serial")
					  ->numbers[i], 2 * i + 1);
	ck_assert_uint_eq(sw_reader_health(reader)->frames_damaged, 0);
	sw_reader_close(reader);
	sw_writer_destroy(writer);
}
END_TEST

/* Write rows to frames, and some to a tail. */
static struct sw_writer *write_subjects(void)
{
	struct sw_writer *writer = kit_create(&kit, "bomb");
	struct rows_kit rows;

	rows_define(&rows, writer);
	for (uint64_t tick = 0; tick < 1000; tick++) {
		rows_write(&rows, writer, tick);
		if (tick % 300 == 299)
			ck_assert_int_eq(sw_writer_flush(writer, tick), 0);
	}
	return writer;
}

static bool is_kept(const struct sw_reader_column *column,
		    const struct sw_reader_only *only)
{
	const char *const *wanted;

	for (wanted = only->columns; *wanted; wanted++) {
		if (!strcmp(column->name, *wanted))
			return true;
	}
	return (column->kind == SW_KIND_TEXT && !only->passes_texts) ||
	       column->kind == SW_KIND_KEY || column->kind == SW_KIND_TIME;
}

/* Kept columns are as in a full read, and the rest is absent. */
static void compare_columns(const struct sw_reader_table *all,
			    const struct sw_reader_table *some,
			    const struct sw_reader_only *only)
{
	ck_assert_uint_eq(all->row_count, some->row_count);
	for (size_t i = 0; i < all->column_count; i++) {
		const struct sw_reader_column *column = &some->columns[i];
		const uint64_t *numbers = all->columns[i].numbers;

		if (only && !is_kept(column, only))
			ck_assert(!column->numbers && !column->texts);
		else if (numbers)
			ck_assert_mem_eq(column->numbers, numbers,
					 all->row_count * sizeof(*numbers));
		for (size_t row = 0; column->texts && row < all->row_count;
		     row++)
			ck_assert_pstr_eq(column->texts[row],
					  all->columns[i].texts[row]);
	}
}

/* Columns with rows sorted by group, and with rows as written. */
static const char *const some_columns[][3] = {
	{ NULL }, { "subject" }, { "noise" }, { "subject", "bursts" },
	{ "again_usec" }, { "no such column" }, { "name", "noise" },
	{ "system_usec" }, { "user_usec" }, { "usage_usec", "system_usec" },
};

enum { SOME_COLUMNS = sizeof(some_columns) / sizeof(some_columns[0]) };

static void compare_some(const struct sw_reader_only *only)
{
	static const char *const tables[] = { "series.subjects",
					      "series.ticks" };
	const struct sw_reader_want want = { .only = only, .only_count = 1 };
	struct sw_reader *all = open_with(NULL), *some = open_with(&want);

	ck_assert_ptr_nonnull(all);
	ck_assert_ptr_nonnull(some);
	ck_assert(sw_reader_health(some)->is_from_tail);
	ck_assert_uint_eq(sw_reader_health(some)->frames_damaged, 0);
	for (size_t i = 0; i < 2; i++)
		compare_columns(sw_reader_find(all, tables[i]),
				sw_reader_find(some, tables[i]),
				strcmp(tables[i], only->table) ? NULL : only);
	ck_assert_uint_lt(sw_reader_held_bytes(some),
			  sw_reader_held_bytes(all));
	sw_reader_close(all);
	sw_reader_close(some);
}

START_TEST(test_some_columns)
{
	struct sw_reader_only only = { .columns = some_columns[_i] };
	struct sw_writer *writer = write_subjects();

	only.table = "series.subjects";
	compare_some(&only);
	only.passes_texts = true;
	compare_some(&only);
	only.table = "series.ticks";
	compare_some(&only);
	sw_writer_destroy(writer);
}
END_TEST

START_TEST(test_columns_of_several_tables)
{
	const struct sw_reader_only only[] = {
		{ .table = "series.ticks", .columns = some_columns[0] },
		{ .table = "series.absent", .columns = some_columns[0] },
		{ .table = "series.subjects", .columns = some_columns[1] },
	};
	const struct sw_reader_want want = { .only = only, .only_count = 3 };
	struct sw_writer *writer = write_subjects();
	struct sw_reader *all = open_with(NULL), *some = open_with(&want);

	ck_assert_ptr_nonnull(all);
	ck_assert_ptr_nonnull(some);
	for (size_t i = 0; i < 3; i += 2)
		compare_columns(sw_reader_find(all, only[i].table),
				sw_reader_find(some, only[i].table), &only[i]);
	sw_reader_close(all);
	sw_reader_close(some);
	sw_writer_destroy(writer);
}
END_TEST

/*
 * In rows that are grouped by subject, a second time is not first in the order
 * of decoding, and the next column is stored as differences to it.
 */
START_TEST(test_column_beside_a_second_time)
{
	static const struct sw_column columns[] = {
		{ "time_usec", "usec", SW_KIND_TIME, "" },
		{ "step", "", SW_KIND_KEY, "" },
		{ "subject", "", SW_KIND_STATE, "" },
		{ "passed", "", SW_KIND_COUNTER, "" },
		{ "ended_usec", "usec", SW_KIND_TIME, "" },
		{ "kept", "usec", SW_KIND_COUNTER, "" },
	};
	static const struct sw_table table = {
		"series.late", SW_SCOPE_STEP, "kit", columns, 6,
	};
	static const char *const kept[] = { "kept", NULL };
	const struct sw_reader_only only = { "series.late", kept, false };
	const struct sw_reader_want want = { .only = &only, .only_count = 1 };
	struct sw_writer *writer = kit_create(&kit, "bomb");
	int number = sw_writer_table(writer, &table, NULL);
	struct sw_reader *all, *some;

	for (uint64_t i = 0; i < 900; i++) {
		uint64_t now = 1000000 * (i / 3), ended = kit_mix(i);
		const union sw_value values[] = {
			{ .number = now }, { .number = 1 }, { .number = i % 3 },
			{ .number = kit_mix(i + 1) }, { .number = ended },
			{ .number = ended + i % 7 },
		};

		ck_assert_int_eq(sw_writer_row(writer, number, values, now), 0);
	}
	ck_assert_int_eq(sw_writer_flush(writer, 0), 0);
	all = open_with(NULL);
	some = open_with(&want);
	ck_assert_ptr_nonnull(all);
	ck_assert_ptr_nonnull(some);
	compare_columns(sw_reader_find(all, only.table),
			sw_reader_find(some, only.table), &only);
	sw_reader_close(all);
	sw_reader_close(some);
	sw_writer_destroy(writer);
}
END_TEST

/* Own links are followed on request; those of another user are not. */
START_TEST(test_links)
{
	struct sw_reader *reader;

	make_bomb("events", false, 1);
	ck_assert_int_eq(renameat(kit.dirfd, "bomb", kit.dirfd, "file"), 0);
	ck_assert_int_eq(symlinkat("file", kit.dirfd, "bomb"), 0);
	ck_assert_ptr_null(open_with(NULL));
	ck_assert_int_eq(errno, ELOOP);
	reader = sw_reader_open(kit_file(&kit, "bomb"), &error);
	ck_assert_ptr_nonnull(reader);
	sw_reader_close(reader);
	if (geteuid() != 0)
		return;
	ck_assert_int_eq(fchownat(kit.dirfd, "bomb", 12345, 12345,
				  AT_SYMLINK_NOFOLLOW), 0);
	errno = 0;
	ck_assert_ptr_null(sw_reader_open(kit_file(&kit, "bomb"), &error));
	ck_assert_int_eq(errno, ELOOP);
}
END_TEST

START_TEST(test_origin)
{
	const struct sw_reader_want want = { .has_digest = true };
	char digest[SW_DIGEST_SIZE];
	struct sw_reader *reader;
	int fd;

	make_bomb("events", false, 1);
	reader = open_with(&want);
	ck_assert_ptr_nonnull(reader);
	fd = openat(kit.dirfd, "bomb", O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(sw_digest(fd, digest), 0);
	close(fd);
	ck_assert_str_eq(sw_reader_origin(reader)->digest, digest);
	ck_assert_uint_eq(sw_reader_origin(reader)->owner, geteuid());
	sw_reader_close(reader);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("limits");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, test_repeated_frames);
	tcase_add_test(tcase, test_less_is_asked_for);
	tcase_add_test(tcase, test_series_left_out);
	tcase_add_test(tcase, test_the_others_are_whole);
	tcase_add_loop_test(tcase, test_some_columns, 0, SOME_COLUMNS);
	tcase_add_test(tcase, test_columns_of_several_tables);
	tcase_add_test(tcase, test_column_beside_a_second_time);
	tcase_add_test(tcase, test_links);
	tcase_add_test(tcase, test_origin);
	return run_tests("profiles_limits", tcase, NULL);
}

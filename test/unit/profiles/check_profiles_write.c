/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips, and errors of a writer. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profiles_rows.h"
#include "test/run_tests.h"

enum { ROWS_MAX = 200000 };

static struct kit kit;
static bool seen[ROWS_MAX];

static void setup(void)
{
	kit_init(&kit);
}

static void teardown(void)
{
	kit_fini(&kit);
}

static void finish(struct sw_writer *writer, uint64_t now_usec)
{
	struct sw_error error = { "" };

	ck_assert_msg(sw_writer_finish(writer, now_usec, &error) == 0, "%s",
		      error.text);
	sw_writer_destroy(writer);
}

static struct sw_reader *open_good(const char *name)
{
	struct sw_error error = { "" };
	struct sw_reader *reader = sw_reader_open(kit_file(&kit, name), &error);

	ck_assert_msg(reader, "%s", error.text);
	ck_assert_uint_eq(sw_reader_health(reader)->frames_damaged, 0);
	ck_assert_uint_eq(sw_reader_health(reader)->frames_missing, 0);
	ck_assert_uint_eq(sw_reader_health(reader)->frames_unknown, 0);
	ck_assert_uint_eq(sw_reader_gap_count(reader), 0);
	return reader;
}

static void write_rows(struct sw_writer *writer, uint64_t count,
		       uint64_t step_usec)
{
	for (uint64_t i = 0; i < count; i++)
		kit_require(kit_row(&kit, writer, i,
					 1000000 + i * step_usec) == 0);
}

static const uint64_t row_counts[] = { 0, 1, 2, 3, 127, 128, 129, 5000, 9999 };

/* Finished, with blocks closed by time, by a full tail, and by the end. */
START_TEST(test_round_trip)
{
	uint64_t count = row_counts[_i];

	for (uint64_t step_usec = 0; step_usec <= 3000000;
	     step_usec = step_usec * 100 + 300) {
		struct sw_writer *writer = kit_create(&kit, "one");
		struct sw_writer_stats stats;
		struct sw_reader *reader;

		write_rows(writer, count, step_usec);
		sw_writer_stats(writer, &stats);
		ck_assert_uint_eq(stats.rows_written, count);
		ck_assert_uint_eq(stats.rows_dropped, 0);
		ck_assert(sw_is_missing(stats.first_drop_usec));
		ck_assert(stats.has_tail);
		finish(writer, 2000000);
		reader = open_good("one");
		ck_assert(sw_reader_health(reader)->is_finished);
		ck_assert(!sw_reader_health(reader)->is_from_tail);
		ck_assert_uint_eq(kit_check(reader, seen, ROWS_MAX), count);
		sw_reader_close(reader);
		ck_assert_int_eq(unlinkat(kit.dirfd, "one", 0), 0);
		ck_assert_int_ne(faccessat(kit.dirfd, "one.tail", F_OK, 0), 0);
		ck_assert_int_ne(faccessat(kit.dirfd, "one.part", F_OK, 0), 0);
	}
}
END_TEST

/*
 * Rows of several subjects come back in the order of writing, whatever the
 * blocks, and values that follow from other columns take almost no space.
 */
START_TEST(test_as_recorded)
{
	static const uint64_t ticks[] = { 1, 2, 130, 299, 300, 301, 2000 };
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_reader *reader;
	struct rows_kit rows;
	struct sw_bytes file;
	uint64_t written = 0;

	rows_define(&rows, writer);
	for (uint64_t i = 0; i < ticks[_i]; i++)
		written += rows_write(&rows, writer, i);
	reader = open_good("one.part");
	rows_check(reader, ticks[_i]);
	sw_reader_close(reader);
	finish(writer, 1);
	reader = open_good("one");
	rows_check(reader, ticks[_i]);
	sw_reader_close(reader);
	file = kit_load(&kit, "one");
	if (ticks[_i] >= 299)
		ck_assert_uint_le(file.size, written * 5);
	kit_free(file);
}
END_TEST

/* A writer that still runs, or was killed: blocks and tail together. */
START_TEST(test_part_and_tail)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_reader *reader;

	for (uint64_t i = 0; i < 300; i++) {
		ck_assert_int_eq(kit_row(&kit, writer, i, i * 700000), 0);
		reader = open_good(i % 2 ? "one" : "one.part");
		ck_assert_uint_eq(kit_check(reader, seen, ROWS_MAX), i + 1);
		ck_assert(!sw_reader_health(reader)->is_finished);
		ck_assert(sw_reader_health(reader)->is_from_tail);
		sw_reader_close(reader);
	}
	ck_assert_int_eq(sw_writer_flush(writer, 300 * 700000), 0);
	reader = open_good("one");
	ck_assert_uint_eq(kit_check(reader, seen, ROWS_MAX), 300);
	ck_assert(!sw_reader_health(reader)->is_from_tail);
	sw_reader_close(reader);
	sw_writer_destroy(writer);
}
END_TEST

/* Rows of a whole day are one block, which readers find in the tail. */
START_TEST(test_full_blocks)
{
	enum { ROWS = 200 };
	static const uint64_t hour_usec = UINT64_C(3600000000);
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_writer_stats before, after;
	struct sw_reader *reader;

	sw_writer_fill_blocks(writer);
	sw_writer_stats(writer, &before);
	write_rows(writer, ROWS, hour_usec);
	sw_writer_stats(writer, &after);
	ck_assert_uint_eq(after.bytes_written, before.bytes_written);
	reader = open_good("one.part");
	ck_assert_uint_eq(kit_check(reader, seen, ROWS_MAX), ROWS);
	sw_reader_close(reader);
	finish(writer, ROWS * hour_usec);
	reader = open_good("one");
	ck_assert_uint_eq(kit_check(reader, seen, ROWS_MAX), ROWS);
	sw_reader_close(reader);
}
END_TEST

/* Incompressible values, and more than a frame holds. */
START_TEST(test_incompressible)
{
	enum { COLUMNS = SW_TABLE_COLUMNS_MAX, ROWS = 20000 };
	static char names[COLUMNS][8];
	struct sw_column columns[COLUMNS];
	struct sw_table table = { "noise", SW_SCOPE_NODE, "", columns,
				  COLUMNS };
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_error error = { "" };
	struct sw_reader *reader;
	const struct sw_reader_table *got;
	union sw_value values[COLUMNS];
	int number;

	for (size_t i = 0; i < COLUMNS; i++) {
		snprintf(names[i], sizeof(names[i]), "c%zu", i);
		columns[i] = (struct sw_column){ names[i], "x",
						 SW_KIND_GAUGE, NULL };
	}
	number = sw_writer_table(writer, &table, &error);
	ck_assert_msg(number >= 0, "%s", error.text);
	for (uint64_t row = 0; row < ROWS; row++) {
		for (uint64_t i = 0; i < COLUMNS; i++)
			values[i].number = kit_mix(row * COLUMNS + i);
		kit_require(sw_writer_row(writer, number, values, row) == 0);
	}
	finish(writer, ROWS);
	reader = open_good("one");
	got = sw_reader_find(reader, "noise");
	kit_require(got->row_count == ROWS);
	for (uint64_t row = 0; row < ROWS; row++)
		for (uint64_t i = 0; i < COLUMNS; i++)
			kit_require(got->columns[i].numbers[row] ==
				    kit_mix(row * COLUMNS + i));
	sw_reader_close(reader);
}
END_TEST

/* As many keys as rows, then the same keys in another order. */
START_TEST(test_many_keys)
{
	static const struct sw_column columns[] = {
		{ "n", "", SW_KIND_COUNTER, "" }, { "key", "", SW_KIND_KEY, "" }
	};
	const struct sw_table table = { "keys", SW_SCOPE_PROGRAM, "x", columns,
					2 };
	struct sw_writer *writer = kit_create(&kit, "one");
	int number = sw_writer_table(writer, &table, NULL);
	const struct sw_reader_table *got;
	struct sw_reader *reader;
	uint64_t last[1000] = { 0 };

	for (uint64_t i = 0; i < 60000; i++) {
		uint64_t key = kit_mix(i) % 1000;
		union sw_value values[] = { { .number = i + 1 },
					    { .number = 0 - key } };

		kit_require(sw_writer_row(writer, number, values, i) == 0);
	}
	finish(writer, 60000);
	reader = open_good("one");
	got = sw_reader_find(reader, "keys");
	kit_require(got->row_count == 60000);
	for (size_t i = 0; i < got->row_count; i++) {
		uint64_t n = got->columns[0].numbers[i];
		uint64_t key = 0 - got->columns[1].numbers[i];

		kit_require(key == kit_mix(n - 1) % 1000);
		/* Rows of one key are in the order of writing. */
		kit_require(n > last[key]);
		last[key] = n;
	}
	sw_reader_close(reader);
}
END_TEST

START_TEST(test_long_texts)
{
	static const struct sw_column columns[] = { { "text", "",
						      SW_KIND_TEXT, "" } };
	const struct sw_table table = { "t", SW_SCOPE_JOB, "", columns, 1 };
	struct sw_writer *writer = kit_create(&kit, "one");
	int number = sw_writer_table(writer, &table, NULL);
	const struct sw_reader_table *got;
	struct sw_writer_stats stats;
	struct sw_reader *reader;
	char text[SW_TEXT_SIZE_MAX + 1];
	union sw_value value = { .text = text };

	for (size_t i = 0; i < SW_TEXT_SIZE_MAX; i++) {
		memset(text, 'a' + (int)(i % 26), i);
		text[i] = '\0';
		ck_assert_int_eq(sw_writer_row(writer, number, &value, i), 0);
	}
	memset(text, 'x', SW_TEXT_SIZE_MAX);
	text[SW_TEXT_SIZE_MAX] = '\0';
	ck_assert_int_eq(sw_writer_row(writer, number, &value, 77), -1);
	ck_assert_int_eq(errno, EMSGSIZE);
	sw_writer_stats(writer, &stats);
	ck_assert_uint_eq(stats.rows_dropped, 1);
	ck_assert_uint_eq(stats.first_drop_usec, 77);
	ck_assert_uint_eq(stats.last_drop_usec, 77);
	finish(writer, 5000);
	reader = open_good("one");
	ck_assert_uint_eq(sw_reader_health(reader)->rows_dropped, 1);
	got = sw_reader_find(reader, "t");
	ck_assert_uint_eq(got->row_count, SW_TEXT_SIZE_MAX);
	for (size_t i = 0; i < SW_TEXT_SIZE_MAX; i++) {
		ck_assert_uint_eq(strlen(got->columns[0].texts[i]), i);
		ck_assert(i == 0 || got->columns[0].texts[i][i - 1] ==
					    (char)('a' + i % 26));
	}
	sw_reader_close(reader);
}
END_TEST

static void refuse_table(struct sw_writer *writer, struct sw_table table)
{
	struct sw_error error = { "" };

	errno = 0;
	ck_assert_int_eq(sw_writer_table(writer, &table, &error), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_uint_gt(strlen(error.text), 0);
}

/* Texts that alternate are stored once each, in frames and in a tail. */
START_TEST(test_repeated_texts)
{
	static const char *const texts[] = { "", "abcdefgh", "abcdefgi",
					     "xbcdefgh", "abc", "batch" };
	enum { ROWS = 1000, TEXTS = sizeof(texts) / sizeof(texts[0]) };
	static const struct sw_column columns[] = { { "text", "",
						      SW_KIND_TEXT, "" } };
	const struct sw_table table = { "t", SW_SCOPE_JOB, "", columns, 1 };
	struct sw_writer *writer = kit_create(&kit, "one");
	int number = sw_writer_table(writer, &table, NULL);
	const struct sw_reader_table *got;
	struct sw_reader *reader;
	union sw_value value;

	for (uint64_t i = 0; i < ROWS; i++) {
		value.text = texts[i % TEXTS];
		kit_require(sw_writer_row(writer, number, &value, i) == 0);
		if (i == ROWS / 2)
			kit_require(sw_writer_flush(writer, i) == 0);
	}
	reader = open_good("one");
	got = sw_reader_find(reader, "t");
	ck_assert_uint_eq(got->row_count, ROWS);
	for (size_t i = 0; i < ROWS; i++) {
		ck_assert_str_eq(got->columns[0].texts[i], texts[i % TEXTS]);
		ck_assert_ptr_eq(got->columns[0].texts[i],
				 got->columns[0].texts[i % TEXTS]);
	}
	sw_reader_close(reader);
	sw_writer_destroy(writer);
}
END_TEST

START_TEST(test_bad_tables)
{
	static const char long_name[] =
		"a123456789a123456789a123456789a123456789"
		"a123456789a123456789abcd";
	struct sw_column columns[SW_TABLE_COLUMNS_MAX + 1];
	struct sw_table good = { "t", SW_SCOPE_JOB, "s", columns, 2 };
	struct sw_writer *writer = kit_create(&kit, "one");
	union sw_value value = { .number = 1 };
	struct sw_table bad;

	columns[0] = (struct sw_column){ "a", "", SW_KIND_KEY, "" };
	columns[1] = (struct sw_column){ "b", "", SW_KIND_STATE, "" };
	bad = good, bad.column_count = 0;
	refuse_table(writer, bad);
	bad = good, bad.column_count = SW_TABLE_COLUMNS_MAX + 1;
	refuse_table(writer, bad);
	bad = good, bad.name = "";
	refuse_table(writer, bad);
	bad = good, bad.name = "Upper";
	refuse_table(writer, bad);
	bad = good, bad.name = long_name;
	refuse_table(writer, bad);
	bad = good, bad.name = "events";
	refuse_table(writer, bad);
	bad = good, bad.source = "\x1b[2J";
	refuse_table(writer, bad);
	bad = good, bad.scope = 0;
	refuse_table(writer, bad);
	columns[1].kind = SW_KIND_KEY;
	refuse_table(writer, good);
	columns[1].kind = 8;
	refuse_table(writer, good);
	columns[1] = (struct sw_column){ "a", "", SW_KIND_STATE, "" };
	refuse_table(writer, good);
	columns[1] = (struct sw_column){ "b", "\n", SW_KIND_STATE, "" };
	refuse_table(writer, good);
	columns[1] = (struct sw_column){ "b\xc3", "", SW_KIND_STATE, "" };
	refuse_table(writer, good);
	ck_assert_int_eq(sw_writer_row(writer, 2, &value, 1), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(sw_writer_row(writer, -1, &value, 1), -1);
	columns[1] = (struct sw_column){ "b", "", SW_KIND_STATE, "" };
	bad = good, bad.name = "t2";
	ck_assert_int_eq(sw_writer_table(writer, &bad, NULL), 2);
	ck_assert_int_eq(sw_writer_table(writer, &bad, NULL), 2);
	/* With another source, whose longer name moves the columns. */
	bad.source = "elsewhere";
	ck_assert_int_eq(sw_writer_table(writer, &bad, NULL), 2);
	ck_assert_str_eq(sw_writer_source(writer, 2), good.source);
	columns[1].unit = "usec";
	refuse_table(writer, bad);
	columns[1].unit = "";
	bad.scope = SW_SCOPE_STEP;
	refuse_table(writer, bad);
	for (int i = 3; i < SW_PROFILE_TABLES_MAX; i++) {
		char name[16];

		snprintf(name, sizeof(name), "t%d", i);
		bad = good, bad.name = name;
		ck_assert_int_eq(sw_writer_table(writer, &bad, NULL), i);
	}
	refuse_table(writer, good);
	finish(writer, 1);
	sw_reader_close(open_good("one"));
}
END_TEST

static void refuse_name(const char *name, bool is_replacing, int code)
{
	struct sw_error error = { "" };

	errno = 0;
	ck_assert_ptr_null(
		sw_writer_create(kit.dirfd, name, is_replacing, &error));
	ck_assert_int_eq(errno, code);
	ck_assert_uint_gt(strlen(error.text), 0);
}

START_TEST(test_names)
{
	char name[300];

	refuse_name("", false, EINVAL);
	refuse_name("a/b", false, EINVAL);
	refuse_name("..", false, EINVAL);
	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	refuse_name(name, false, EINVAL);
	name[250] = '\0';
	sw_writer_destroy(sw_writer_create(kit.dirfd, name, false, NULL));
	ck_assert_int_eq(symlinkat("victim", kit.dirfd, "link.part"), 0);
	refuse_name("link", false, EEXIST);
	ck_assert_int_eq(symlinkat("victim", kit.dirfd, "tied.tail"), 0);
	refuse_name("tied", false, EEXIST);
	ck_assert_int_ne(faccessat(kit.dirfd, "victim", F_OK, 0), 0);
}
END_TEST

START_TEST(test_replacing)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_error error = { "" };
	struct stat status;

	refuse_name("one", false, EEXIST);
	/* The first writer is alive: its file must not be taken over. */
	refuse_name("one", true, EBUSY);
	ck_assert_int_eq(faccessat(kit.dirfd, "one.tail", F_OK, 0), 0);
	ck_assert_int_eq(fstatat(kit.dirfd, "one.part", &status, 0), 0);
	ck_assert_uint_eq(status.st_mode & 07777, 0600);
	ck_assert_int_eq(fstatat(kit.dirfd, "one.tail", &status, 0), 0);
	ck_assert_uint_eq(status.st_mode & 07777, 0600);
	sw_writer_destroy(writer);
	refuse_name("one", false, EEXIST);
	writer = sw_writer_create(kit.dirfd, "one", true, &error);
	ck_assert_msg(writer, "%s", error.text);
	finish(writer, 1);
	refuse_name("one", false, EEXIST);
	writer = sw_writer_create(kit.dirfd, "one", true, &error);
	ck_assert_msg(writer, "%s", error.text);
	finish(writer, 1);
	sw_reader_close(open_good("one"));
}
END_TEST

/* A profile created meanwhile is not overwritten. */
START_TEST(test_finish_never_replaces)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_bytes other = { (const uint8_t *)"other", 5 };
	struct sw_error error = { "" };
	struct sw_reader *reader;

	write_rows(writer, 10, 1000);
	kit_store(&kit, "one", other);
	ck_assert_int_eq(sw_writer_finish(writer, 1, &error), -1);
	ck_assert_int_eq(errno, EEXIST);
	ck_assert_ptr_nonnull(strstr(error.text, "one.part"));
	sw_writer_destroy(writer);
	reader = open_good("one.part");
	ck_assert(sw_reader_health(reader)->is_finished);
	ck_assert_uint_eq(kit_check(reader, seen, ROWS_MAX), 10);
	sw_reader_close(reader);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("write");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_round_trip, 0,
			    sizeof(row_counts) / sizeof(row_counts[0]));
	tcase_add_loop_test(tcase, test_as_recorded, 0, 7);
	tcase_add_test(tcase, test_part_and_tail);
	tcase_add_test(tcase, test_full_blocks);
	tcase_add_test(tcase, test_incompressible);
	tcase_add_test(tcase, test_many_keys);
	tcase_add_test(tcase, test_long_texts);
	tcase_add_test(tcase, test_repeated_texts);
	tcase_add_test(tcase, test_bad_tables);
	tcase_add_test(tcase, test_names);
	tcase_add_test(tcase, test_replacing);
	tcase_add_test(tcase, test_finish_never_replaces);
	return run_tests("profiles_write", tcase, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fingerprints of a night's runs: kept, merged, written and read back. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/compare/fingerprint.h"
#include "analyzer/sweep/night/night.h"
#include "test/run_tests.h"

/* Offsets in a night's bytes: of the version, its hash and the rest. */
enum { VERSION_AT = 16, HASH_AT = 24, BODY_AT = 32 };

static struct sw_night night;

static void set_up(void)
{
	sw_night_init(&night, NULL);
}

static void tear_down(void)
{
	sw_night_fini(&night);
}

/* A run of job id with size bytes of its number; 0: no fingerprint. */
static struct sw_sample_run run_of(uint64_t id, uint8_t *bytes, size_t size)
{
	struct sw_sample_run run = { .run = sw_run_unknown, .job_id = id };

	run.run.end_seconds = 1000.0 + (double)id;
	run.run.elapsed_seconds = 10;
	memset(bytes, (int)id, size);
	run.fingerprint = size ? bytes : NULL;
	run.fingerprint_size = size;
	return run;
}

static void add_run(struct sw_night *to, uint64_t id, size_t size)
{
	static const struct sw_tally_of_job names = {
		"c1", "alice", "", "", "", "align", "align",
	};
	uint8_t bytes[SW_FINGERPRINT_BYTES + 1];
	const struct sw_sample_run run = run_of(id, bytes, size);
	const struct sw_tally_job job = { .run = &run };

	ck_assert_int_eq(sw_tally_cells_add(&to->cells, &names, &job), 0);
}

static const struct sw_sample *sample_of(const struct sw_night *of)
{
	const struct sw_tally_names names = {
		SW_TALLY_GROUP, "c1", "align", "alice", "align",
	};
	const struct sw_tally *tally = sw_tally_find(&of->tallies, &names);

	ck_assert_ptr_nonnull(tally);
	return &tally->sample;
}

static void check_print(const struct sw_sample_run *run, size_t size)
{
	size_t i;

	ck_assert_uint_eq(run->fingerprint_size, size);
	ck_assert_int_eq(run->fingerprint != NULL, size > 0);
	for (i = 0; i < size; i++)
		ck_assert_uint_eq(run->fingerprint[i], run->job_id);
}

/* Read the bytes into a night of its own, with this result. */
static int read_back(struct sw_night *to, const uint8_t *bytes, size_t size)
{
	sw_night_fini(to);
	sw_night_init(to, NULL);
	return sw_night_read(to, bytes, size);
}

START_TEST(a_night_keeps_them)
{
	struct sw_night read = { 0 }, other;
	uint8_t *bytes;
	size_t size, i;

	sw_night_init(&read, NULL);
	sw_night_init(&other, NULL);
	add_run(&night, 2, SW_FINGERPRINT_BYTES);
	add_run(&night, 1, 0);
	add_run(&other, 3, 7);
	ck_assert_int_eq(sw_night_settle(&night), 0);
	ck_assert_int_eq(sw_night_settle(&other), 0);
	ck_assert_int_eq(sw_night_merge(&night, &other), 0);
	sw_night_fini(&other);
	bytes = sw_night_write(&night, &size);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(read_back(&read, bytes, size), 0);
	free(bytes);
	for (i = 0; i < 3; i++) {
		static const size_t sizes[] = { 0, SW_FINGERPRINT_BYTES, 7 };

		ck_assert_uint_eq(sample_of(&read)->items[i].job_id, i + 1);
		check_print(&sample_of(&read)->items[i], sizes[i]);
	}
	sw_night_fini(&read);
}
END_TEST

/* More runs than are kept, oldest first and newest first: the same bytes. */
START_TEST(the_newest_are_kept)
{
	enum { RUNS = SW_SAMPLE_RUNS_MAX + 40 };
	struct sw_night other;
	const struct sw_sample *sample;
	size_t size, other_size, i;
	uint8_t *bytes, *other_bytes;

	sw_night_init(&other, NULL);
	for (i = 1; i <= RUNS; i++) {
		add_run(&night, i, i % 5);
		add_run(&other, RUNS + 1 - i, (RUNS + 1 - i) % 5);
	}
	ck_assert_int_eq(sw_night_settle(&night), 0);
	ck_assert_int_eq(sw_night_settle(&other), 0);
	sample = sample_of(&night);
	ck_assert_uint_eq(sample->count, SW_SAMPLE_RUNS_MAX);
	for (i = 0; i < sample->count; i++)
		check_print(&sample->items[i], sample->items[i].job_id % 5);
	bytes = sw_night_write(&night, &size);
	other_bytes = sw_night_write(&other, &other_size);
	ck_assert_uint_eq(size, other_size);
	ck_assert_mem_eq(bytes, other_bytes, size);
	free(bytes);
	free(other_bytes);
	sw_night_fini(&other);
}
END_TEST

static void put_number(uint8_t *bytes, uint64_t number)
{
	size_t i;

	for (i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(number >> (8 * i));
}

static void seal(uint8_t *bytes, size_t size)
{
	put_number(bytes + HASH_AT, sw_keyed_hash((char *)bytes + BODY_AT,
						  size - BODY_AT));
}

/* Count it in each tally of the night. */
static void mark_deadlines(struct sw_night *of, uint64_t mark)
{
	struct sw_tally **tallies = sw_tallies_sorted(&of->tallies);
	size_t i;

	ck_assert_ptr_nonnull(tallies);
	for (i = 0; i < of->tallies.count; i++)
		tallies[i]->n[SW_TALLY_DEADLINE] = mark;
	free(tallies);
}

/* Remove each mark; return the new size. */
static size_t remove_marks(uint8_t *bytes, size_t size, uint64_t mark)
{
	uint8_t text[8];
	size_t i;

	put_number(text, mark);
	for (i = BODY_AT; i + sizeof(text) <= size; i++) {
		if (memcmp(bytes + i, text, sizeof(text)) != 0)
			continue;
		size -= sizeof(text);
		memmove(bytes + i, bytes + i + sizeof(text), size - i);
	}
	return size;
}

/* The group is the last tally, and the fingerprint the last of its run. */
START_TEST(nights_before_have_none)
{
	const uint64_t mark = 0x1122334455667788;
	struct sw_night read = { 0 };
	uint8_t *bytes;
	size_t size;

	sw_night_init(&read, NULL);
	add_run(&night, 5, 0);
	ck_assert_int_eq(sw_night_settle(&night), 0);
	mark_deadlines(&night, mark);
	bytes = sw_night_write(&night, &size);
	ck_assert_ptr_nonnull(bytes);
	size = remove_marks(bytes, size - 8, mark);
	put_number(bytes + VERSION_AT, 9);
	seal(bytes, size);
	ck_assert_int_eq(read_back(&read, bytes, size), 0);
	ck_assert_uint_eq(sample_of(&read)->count, 1);
	ck_assert_uint_eq(sample_of(&read)->items[0].job_id, 5);
	check_print(&sample_of(&read)->items[0], 0);
	put_number(bytes + VERSION_AT, 8);
	ck_assert_int_eq(read_back(&read, bytes, size), -1);
	ck_assert_int_eq(errno, ENOTSUP);
	sw_night_fini(&read);
	free(bytes);
}
END_TEST

/* One of more than a fingerprint's bytes, and one cut off. */
START_TEST(damaged_ones_are_refused)
{
	struct sw_night read = { 0 };
	uint8_t *bytes;
	size_t size;

	sw_night_init(&read, NULL);
	add_run(&night, 5, SW_FINGERPRINT_BYTES + 1);
	ck_assert_int_eq(sw_night_settle(&night), 0);
	bytes = sw_night_write(&night, &size);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(read_back(&read, bytes, size), -1);
	ck_assert_int_eq(errno, EINVAL);
	seal(bytes, size - 1);
	ck_assert_int_eq(read_back(&read, bytes, size - 1), -1);
	ck_assert_int_eq(errno, EINVAL);
	sw_night_fini(&read);
	free(bytes);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("night_prints");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_night_keeps_them);
	tcase_add_test(tests, the_newest_are_kept);
	tcase_add_test(tests, nights_before_have_none);
	tcase_add_test(tests, damaged_ones_are_refused);
	return run_tests("night_prints", tests, NULL);
}

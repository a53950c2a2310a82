/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damaged profiles: never a wrong value, and no losses beyond the damage. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiles_kit.h"
#include "test/run_tests.h"

enum { SMALL_ROWS = 40, LARGE_ROWS = 60000, PAGE = 4096, BLOCKS = 300 };

static struct kit kit;
static bool seen[LARGE_ROWS];
static const struct sw_bytes no_tail;

static void setup(void)
{
	kit_init(&kit);
}

static void teardown(void)
{
	kit_fini(&kit);
}

static struct sw_reader *parse(struct sw_bytes file, struct sw_bytes tail)
{
	struct sw_error error = { "" };
	const struct sw_reader_want want = { 0 };
	struct sw_reader *reader = sw_reader_parse(file, tail, &want, &error);

	if (!reader)
		kit_require(strlen(error.text) > 0);
	return reader;
}

/* Write rows in blocks of block_rows; finished, or left as .part and .tail. */
static void write_profile(uint64_t rows, uint64_t block_rows, bool is_finished)
{
	struct sw_writer *writer = kit_create(&kit, "one");

	for (uint64_t i = 0; i < rows; i++) {
		if (i && i % block_rows == 0)
			kit_require(sw_writer_flush(writer, i * 1000) == 0);
		kit_require(kit_row(&kit, writer, i, i * 1000) == 0);
	}
	if (is_finished)
		kit_require(sw_writer_finish(writer, rows * 1000, NULL) == 0);
	sw_writer_destroy(writer);
}

/* Rows come in blocks: all rows before a cut must be read. */
START_TEST(test_truncation_at_every_byte)
{
	uint64_t last_count = 0;
	struct sw_bytes whole;

	write_profile(SMALL_ROWS, 10, true);
	whole = kit_load(&kit, "one");
	for (size_t size = 0; size <= whole.size; size++) {
		struct sw_bytes cut = kit_copy(whole, size);
		struct sw_reader *reader = parse(cut, no_tail);
		uint64_t count = 0;

		if (reader) {
			count = kit_check(reader, seen, SMALL_ROWS);
			for (uint64_t i = 0; i < count / 10 * 10; i++)
				kit_require(seen[i]);
			kit_require(sw_reader_health(reader)->is_finished ==
				    (size == whole.size));
		}
		kit_require(count >= last_count);
		last_count = count;
		sw_reader_close(reader);
		kit_free(cut);
	}
	kit_require(last_count == SMALL_ROWS);
	kit_free(whole);
}
END_TEST

START_TEST(test_every_bit_flipped)
{
	struct sw_bytes whole, copy;
	uint64_t most_lost = 0, opened = 0;

	write_profile(SMALL_ROWS, 10, true);
	whole = kit_load(&kit, "one");
	copy = kit_copy(whole, whole.size);
	for (size_t bit = 0; bit < whole.size * 8; bit++) {
		uint8_t *byte = (uint8_t *)(uintptr_t)copy.at + bit / 8;
		struct sw_reader *reader;

		*byte = (uint8_t)(*byte ^ 1u << bit % 8);
		reader = parse(copy, no_tail);
		if (reader) {
			const struct sw_reader_health *health =
				sw_reader_health(reader);
			uint64_t lost = SMALL_ROWS -
					kit_check(reader, seen, SMALL_ROWS);

			opened++;
			kit_require(health->frames_damaged > 0);
			/* A definition affects half of the rows here. */
			kit_require(lost <= SMALL_ROWS / 2);
			most_lost = lost > most_lost ? lost : most_lost;
		}
		sw_reader_close(reader);
		*byte = (uint8_t)(*byte ^ 1u << bit % 8);
	}
	/* Only damage to the header itself costs a small file. */
	kit_require(opened >= (whole.size - 70) * 8);
	kit_require(most_lost > 0);
	kit_free(whole);
	kit_free(copy);
}
END_TEST

/* Check the lost rows; whole blocks are present or missing. */
static void check_lost(uint64_t count, size_t pages)
{
	uint64_t blocks_hit = 0;
	uint64_t per_block = LARGE_ROWS / BLOCKS;

	for (uint64_t block = 0; block < BLOCKS; block++)
		for (uint64_t i = 0; i < per_block; i++)
			if (!seen[block * per_block + i]) {
				blocks_hit++;
				break;
			}
	/* A block is smaller than a page here, but can span two. */
	ck_assert_uint_le(blocks_hit, pages * 6);
	ck_assert_uint_ge(count, LARGE_ROWS - blocks_hit * per_block);
}

static void check_gaps(const struct sw_reader *reader, size_t size)
{
	kit_require(sw_reader_gap_count(reader) > 0);
	for (size_t i = 0; i < sw_reader_gap_count(reader); i++) {
		const struct sw_reader_gap *gap = sw_reader_gap(reader, i);

		kit_require(gap->length_bytes > 0);
		kit_require(gap->offset_bytes + gap->length_bytes <= size);
		if (!sw_is_missing(gap->after_usec) &&
		    !sw_is_missing(gap->before_usec))
			kit_require(gap->after_usec < gap->before_usec);
	}
}

/* Result of a node crash: pages that never reached the disk. */
START_TEST(test_zeroed_pages)
{
	struct sw_bytes whole;
	size_t pages;

	write_profile(LARGE_ROWS, LARGE_ROWS / BLOCKS, true);
	whole = kit_load(&kit, "one");
	pages = whole.size / PAGE;
	ck_assert_uint_gt(pages, 60);
	for (uint64_t seed = 0; seed < 150; seed++) {
		struct sw_bytes copy = kit_copy(whole, whole.size);
		size_t hit = 1 + seed % 3;
		struct sw_reader *reader;

		for (size_t i = 0; i < hit; i++) {
			/* Include the first page: the header is repeated. */
			size_t page = seed < pages && i == 0 ? seed :
					kit_mix(seed * 3 + i) % pages;

			memset((uint8_t *)(uintptr_t)copy.at + page * PAGE, 0,
			       PAGE);
		}
		reader = parse(copy, no_tail);
		ck_assert_ptr_nonnull(reader);
		check_lost(kit_check(reader, seen, LARGE_ROWS), hit);
		check_gaps(reader, whole.size);
		ck_assert_uint_ge(sw_reader_health(reader)->bytes_damaged,
				  PAGE);
		ck_assert_uint_gt(sw_reader_health(reader)->frames_missing, 0);
		sw_reader_close(reader);
		kit_free(copy);
	}
	kit_free(whole);
}
END_TEST

/* A repeated range of the file yields no row twice. */
START_TEST(test_repeated_pages)
{
	struct sw_bytes whole;

	write_profile(LARGE_ROWS, LARGE_ROWS / BLOCKS, true);
	whole = kit_load(&kit, "one");
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct sw_bytes copy = kit_copy(whole, whole.size);
		size_t size = kit_mix(seed) % (whole.size / 2);
		size_t from = kit_mix(seed + 1) % (whole.size - size);
		size_t to = kit_mix(seed + 2) % (whole.size - size);
		struct sw_reader *reader;

		memmove((uint8_t *)(uintptr_t)copy.at + to, copy.at + from,
			size);
		reader = parse(copy, no_tail);
		if (reader)
			kit_check(reader, seen, LARGE_ROWS);
		sw_reader_close(reader);
		kit_free(copy);
	}
	kit_free(whole);
}
END_TEST

/* Frames of another profile are not accepted. */
START_TEST(test_foreign_frames)
{
	struct sw_bytes one, two, both;
	struct sw_reader *reader;

	write_profile(SMALL_ROWS, 10, true);
	one = kit_load(&kit, "one");
	ck_assert_int_eq(remove(kit_file(&kit, "one")), 0);
	write_profile(SMALL_ROWS, 10, true);
	two = kit_load(&kit, "one");
	both = (struct sw_bytes){ malloc(one.size + two.size),
				  one.size + two.size };
	memcpy((uint8_t *)(uintptr_t)both.at, one.at, one.size);
	memcpy((uint8_t *)(uintptr_t)both.at + one.size, two.at, two.size);
	reader = parse(both, no_tail);
	ck_assert_ptr_nonnull(reader);
	ck_assert_uint_eq(kit_check(reader, seen, SMALL_ROWS), SMALL_ROWS);
	ck_assert_uint_gt(sw_reader_health(reader)->frames_damaged, 0);
	sw_reader_close(reader);
	kit_free(one);
	kit_free(two);
	kit_free(both);
}
END_TEST

START_TEST(test_tail_bits_flipped)
{
	struct sw_bytes part, tail, copy;
	size_t used;

	write_profile(SMALL_ROWS, 25, false);
	part = kit_load(&kit, "one.part");
	tail = kit_load(&kit, "one.tail");
	used = (size_t)sw_get_u64(tail.at + SW_TAIL_AT_USED);
	/* Without the empty rest, which would only take time here. */
	copy = kit_copy(tail, SW_TAIL_HEAD_SIZE + used + 128);
	kit_require(used > 0);
	for (size_t bit = 0; bit < (SW_TAIL_HEAD_SIZE + used + 64) * 8; bit++) {
		uint8_t *byte = (uint8_t *)(uintptr_t)copy.at + bit / 8;
		struct sw_reader *reader;
		uint64_t count;

		/* Only the head of the first page matters. */
		if (bit == 64 * 8)
			bit = SW_TAIL_HEAD_SIZE * 8;
		byte = (uint8_t *)(uintptr_t)copy.at + bit / 8;
		*byte = (uint8_t)(*byte ^ 1u << bit % 8);
		reader = parse(part, copy);
		kit_require(reader);
		count = kit_check(reader, seen, SMALL_ROWS);
		kit_require(count >= SMALL_ROWS - 1);
		if (bit >= SW_TAIL_HEAD_SIZE * 8 &&
		    bit < (SW_TAIL_HEAD_SIZE + used) * 8) {
			kit_require(count == SMALL_ROWS - 1);
			kit_require(
				sw_reader_health(reader)->frames_damaged > 0);
		}
		sw_reader_close(reader);
		*byte = (uint8_t)(*byte ^ 1u << bit % 8);
	}
	kit_free(part);
	kit_free(tail);
	kit_free(copy);
}
END_TEST

/* A tail with lost pages, truncated, or of another profile. */
START_TEST(test_tail_damage)
{
	struct sw_bytes part, tail;
	struct sw_reader *reader;

	write_profile(4000, 1000, false);
	part = kit_load(&kit, "one.part");
	tail = kit_load(&kit, "one.tail");
	for (size_t page = 0; page < 20; page++) {
		struct sw_bytes copy = kit_copy(tail, tail.size);

		memset((uint8_t *)(uintptr_t)copy.at + page * PAGE, 0, PAGE);
		reader = parse(part, copy);
		ck_assert_ptr_nonnull(reader);
		ck_assert_uint_ge(kit_check(reader, seen, LARGE_ROWS),
				  page ? 4000 - PAGE / 64 - 1 : 4000);
		sw_reader_close(reader);
		copy.size = page * PAGE + 100;
		reader = parse(part, copy);
		ck_assert_ptr_nonnull(reader);
		ck_assert_uint_ge(kit_check(reader, seen, LARGE_ROWS), 3000);
		sw_reader_close(reader);
		kit_free(copy);
	}
	/* The file lost its end, which the tail's records reveal. */
	part.size -= 100;
	reader = parse(part, tail);
	ck_assert_ptr_nonnull(reader);
	ck_assert_uint_lt(kit_check(reader, seen, LARGE_ROWS), 4000);
	ck_assert_uint_gt(sw_reader_health(reader)->frames_damaged, 0);
	sw_reader_close(reader);
	kit_free(part);
	ck_assert_int_eq(remove(kit_file(&kit, "one.part")), 0);
	ck_assert_int_eq(remove(kit_file(&kit, "one.tail")), 0);
	write_profile(500, 1000, false);
	part = kit_load(&kit, "one.part");
	reader = parse(part, tail);
	ck_assert_ptr_nonnull(reader);
	ck_assert_uint_eq(kit_check(reader, seen, LARGE_ROWS), 0);
	sw_reader_close(reader);
	kit_free(part);
	kit_free(tail);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("damage");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, test_truncation_at_every_byte);
	tcase_add_test(tcase, test_every_bit_flipped);
	tcase_add_test(tcase, test_zeroed_pages);
	tcase_add_test(tcase, test_repeated_pages);
	tcase_add_test(tcase, test_foreign_frames);
	tcase_add_test(tcase, test_tail_bits_flipped);
	tcase_add_test(tcase, test_tail_damage);
	return run_tests("profiles_damage", tcase, NULL);
}

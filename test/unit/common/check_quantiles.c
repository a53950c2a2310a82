/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sketches: the same bytes for any division, and the promised error. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/missing.h"
#include "common/quantiles.h"
#include "test/run_tests.h"

enum { VALUES = 20000, SHARDS_MAX = 64, HEAD_BYTES = 72 };

static uint64_t values[VALUES];

/* From 0 to 2^64 in every order of magnitude (xorshift64, Marsaglia). */
static void fill_values(void)
{
	uint64_t state = 88172645463325252u;
	size_t i;

	for (i = 0; i < VALUES; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		values[i] = (state - (state == SW_MISSING)) >> i % 64;
	}
}

static uint8_t *bytes_of(const struct sw_quantiles *sketch, size_t *size)
{
	uint8_t *bytes;

	*size = sw_quantiles_size_bytes(sketch);
	bytes = malloc(*size);
	ck_assert_ptr_nonnull(bytes);
	sw_quantiles_write(sketch, bytes);
	return bytes;
}

/* Value i is in shard i % count; merged from the last or from the first. */
static uint8_t *sharded(size_t count, bool is_backwards, size_t *size)
{
	struct sw_quantiles shard[SHARDS_MAX] = { 0 }, all = { 0 };
	uint8_t *bytes;
	size_t i, at;

	for (i = 0; i < VALUES; i++) {
		at = is_backwards ? VALUES - 1 - i : i;
		ck_assert_int_eq(sw_quantiles_add(&shard[at % count],
						  values[at]), 0);
	}
	for (i = 0; i < count; i++) {
		at = is_backwards ? count - 1 - i : i;
		ck_assert_int_eq(sw_quantiles_merge(&all, &shard[at]), 0);
		sw_quantiles_fini(&shard[at]);
	}
	bytes = bytes_of(&all, size);
	sw_quantiles_fini(&all);
	return bytes;
}

START_TEST(any_division_gives_the_same_bytes)
{
	static const size_t counts[] = { 1, 7, 64 };
	size_t i, size, other_size;
	uint8_t *bytes, *other;

	bytes = sharded(1, false, &size);
	for (i = 0; i < 6; i++) {
		other = sharded(counts[i / 2], i % 2, &other_size);
		ck_assert_uint_eq(other_size, size);
		ck_assert_int_eq(memcmp(bytes, other, size), 0);
		free(other);
	}
	free(bytes);
}
END_TEST

static int compare(const void *one, const void *two)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)two;

	return a < b ? -1 : a > b;
}

START_TEST(quantiles_are_within_the_bound)
{
	struct sw_quantiles sketch = { 0 };
	uint64_t exact, got;
	unsigned share;
	size_t i;

	for (i = 0; i < VALUES; i++)
		sw_quantiles_add(&sketch, values[i]);
	qsort(values, VALUES, sizeof(values[0]), compare);
	for (share = 1; share <= 1000; share++) {
		exact = values[VALUES / 1000 * share - 1];
		got = sw_quantiles_at(&sketch, share, 1000);
		ck_assert_uint_le(got > exact ? got - exact : exact - got,
				  exact / 64);
	}
	ck_assert_uint_eq(sketch.min, values[0]);
	ck_assert_uint_eq(sketch.max, values[VALUES - 1]);
	ck_assert_uint_eq(sw_quantiles_at(&sketch, 0, 1), sketch.min);
	sw_quantiles_fini(&sketch);
}
END_TEST

/* All alike, and two far apart: a quantile is a value that was there. */
START_TEST(few_values)
{
	struct sw_quantiles sketch = { 0 };
	uint64_t i;

	for (i = 0; i < 1000; i++)
		sw_quantiles_add(&sketch, (uint64_t)_i);
	ck_assert_uint_eq(sw_quantiles_at(&sketch, 1, 2), (uint64_t)_i);
	for (i = 0; i < 100; i++)
		sw_quantiles_add(&sketch, UINT64_C(5000000000));
	ck_assert_uint_eq(sw_quantiles_at(&sketch, 1, 2), (uint64_t)_i);
	ck_assert_uint_le(5000000000 - sw_quantiles_at(&sketch, 95, 100),
			  5000000000 / 64);
	sw_quantiles_fini(&sketch);
}
END_TEST

START_TEST(large_counters_are_summed_exactly)
{
	struct sw_quantiles sketch = { 0 };
	const uint64_t large = (uint64_t)1 << 63;

	sw_quantiles_add(&sketch, large);
	sw_quantiles_add(&sketch, large);
	sw_quantiles_add(&sketch, SW_MISSING - 1);
	ck_assert_uint_eq(sketch.sum_high, 1);
	ck_assert_uint_eq(sketch.sum_low, SW_MISSING - 1);
	ck_assert_uint_eq(sketch.max, SW_MISSING - 1);
	ck_assert_uint_eq(sw_quantiles_bucket_of(sketch.max),
			  SW_QUANTILES_BUCKETS - 1);
	ck_assert_uint_le(sw_quantiles_at(&sketch, 1, 2) - large, large / 64);
	sw_quantiles_fini(&sketch);
}
END_TEST

START_TEST(what_does_not_fit_stays_at_the_largest)
{
	struct sw_quantiles sketch = { 0 };
	int i;

	sw_quantiles_add(&sketch, (uint64_t)1 << 63);
	for (i = 0; i < 70; i++)
		ck_assert_int_eq(sw_quantiles_merge(&sketch, &sketch), 0);
	ck_assert_uint_eq(sketch.count, UINT64_MAX);
	ck_assert_uint_eq(sketch.bucket[0].count, UINT64_MAX);
	ck_assert_uint_eq(sketch.sum_high, UINT64_MAX);
	ck_assert_uint_eq(sketch.sum_low, UINT64_MAX);
	ck_assert_uint_eq(sw_quantiles_at(&sketch, 99, 100), sketch.max);
	sw_quantiles_fini(&sketch);
}
END_TEST

START_TEST(unknown_and_refused_values_are_counted_apart)
{
	struct sw_quantiles sketch = { 0 }, all = { 0 };

	ck_assert_uint_eq(sw_quantiles_at(&sketch, 1, 2), SW_MISSING);
	sw_quantiles_add(&sketch, SW_MISSING);
	sketch.refused = 2;
	ck_assert_uint_eq(sketch.count, 0);
	ck_assert_uint_eq(sw_quantiles_at(&sketch, 1, 2), SW_MISSING);
	sw_quantiles_add(&sketch, 0);
	ck_assert_int_eq(sw_quantiles_merge(&all, &sketch), 0);
	ck_assert_uint_eq(all.missing, 1);
	ck_assert_uint_eq(all.refused, 2);
	ck_assert_uint_eq(all.count, 1);
	ck_assert_uint_eq(sw_quantiles_at(&all, 1, 2), 0);
	sw_quantiles_fini(&sketch);
	sw_quantiles_fini(&all);
}
END_TEST

START_TEST(bytes_are_read_back_and_can_grow)
{
	struct sw_quantiles sketch = { 0 }, other = { 0 };
	uint8_t *bytes, *again;
	size_t i, size, again_size;

	for (i = 0; i < 100; i++)
		sw_quantiles_add(&other, values[i]);
	bytes = bytes_of(&other, &size);
	ck_assert_int_eq(sw_quantiles_read(&sketch, bytes, size), 0);
	for (; i < 200; i++) {
		sw_quantiles_add(&sketch, values[i]);
		sw_quantiles_add(&other, values[i]);
	}
	free(bytes);
	bytes = bytes_of(&other, &size);
	again = bytes_of(&sketch, &again_size);
	ck_assert_uint_eq(size, again_size);
	ck_assert_int_eq(memcmp(bytes, again, size), 0);
	free(bytes);
	free(again);
	sw_quantiles_fini(&sketch);
	sw_quantiles_fini(&other);
}
END_TEST

/* What the nights that are kept have, from before the sketch moved here. */
START_TEST(old_bytes_are_read)
{
	static const uint8_t old[] =
		"\1\0\0\0\0\0\0\0\6\0\0\0\0\0\0\0"
		"\1\0\0\0\0\0\0\0\x4d\x08\0\0\0\0\0\0"
		"\0\0\0\0\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff"
		"\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
		"\5\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0"
		"\0\0\x3f\0\1\0\0\0\0\0\0\0\x40\0\1\0"
		"\0\0\0\0\0\0\xbe\0\2\0\0\0\0\0\0\0"
		"\x7f\7\1\0\0\0\0\0\0";
	static const uint64_t added[] = { 0,	63,   64, 1000,
					  1000, SW_MISSING - 1, SW_MISSING };
	struct sw_quantiles sketch = { 0 }, read = { 0 };
	size_t i, size;
	uint8_t *bytes;

	for (i = 0; i < sizeof(added) / sizeof(added[0]); i++)
		sw_quantiles_add(&sketch, added[i]);
	sketch.refused = 1;
	bytes = bytes_of(&sketch, &size);
	ck_assert_uint_eq(size, sizeof(old));
	ck_assert_int_eq(memcmp(bytes, old, size), 0);
	free(bytes);
	ck_assert_int_eq(sw_quantiles_read(&read, old, sizeof(old)), 0);
	ck_assert_uint_eq(sw_quantiles_at(&read, 1, 3), 63);
	ck_assert_uint_eq(read.missing, 1);
	ck_assert_uint_eq(read.refused, 1);
	sw_quantiles_fini(&read);
	sw_quantiles_fini(&sketch);
}
END_TEST

/* Each byte changed, each length: refused, or a sketch that can be asked. */
START_TEST(damaged_bytes_do_no_harm)
{
	struct sw_quantiles sketch = { 0 };
	uint8_t *bytes, saved;
	size_t i, size;

	for (i = 0; i < 50; i++)
		sw_quantiles_add(&sketch, values[i]);
	bytes = bytes_of(&sketch, &size);
	sw_quantiles_fini(&sketch);
	for (i = 0; i < size; i++) {
		ck_assert_int_eq(sw_quantiles_read(&sketch, bytes, i), -1);
		ck_assert_int_eq(errno, EINVAL);
		saved = bytes[i];
		bytes[i] ^= 0xff;
		if (sw_quantiles_read(&sketch, bytes, size) == 0)
			sw_quantiles_at(&sketch, 1, 2);
		sw_quantiles_fini(&sketch);
		bytes[i] = saved;
	}
	/* An empty bucket, and one beyond the last. */
	memset(bytes + HEAD_BYTES + 2, 0, 8);
	ck_assert_int_eq(sw_quantiles_read(&sketch, bytes, size), -1);
	free(bytes);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sketch");

	tcase_add_checked_fixture(tcase, fill_values, NULL);
	tcase_add_test(tcase, any_division_gives_the_same_bytes);
	tcase_add_test(tcase, quantiles_are_within_the_bound);
	tcase_add_loop_test(tcase, few_values, 0, 64);
	tcase_add_test(tcase, large_counters_are_summed_exactly);
	tcase_add_test(tcase, what_does_not_fit_stays_at_the_largest);
	tcase_add_test(tcase, unknown_and_refused_values_are_counted_apart);
	tcase_add_test(tcase, bytes_are_read_back_and_can_grow);
	tcase_add_test(tcase, old_bytes_are_read);
	tcase_add_test(tcase, damaged_bytes_do_no_harm);
	return run_tests("quantiles", tcase, NULL);
}

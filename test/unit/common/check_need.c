/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The definition of the need, by its properties: for any readings, in any order
 * and any division.
 */
#include <check.h>
#include <string.h>

#include "common/missing.h"
#include "common/need.h"
#include "test/run_tests.h"
#include "test/unit/advice/draw_kit.h"

enum { READINGS = 8, NUMBERS = sizeof(struct sw_need_reading) / 8,
       ROUNDS = 20000 };

_Static_assert(sizeof(struct sw_need_reading) % 8 == 0, "only numbers");

/* A number of any size, including 0 and missing. */
static uint64_t draw_number(void)
{
	double kind = draw_uniform();

	if (kind < 0.2)
		return SW_MISSING;
	if (kind < 0.3)
		return 0;
	return (uint64_t)1 << (unsigned)(draw_uniform() * 40);
}

static void draw_reading(struct sw_need_reading *reading)
{
	uint64_t numbers[NUMBERS];
	size_t i;

	for (i = 0; i < NUMBERS; i++)
		numbers[i] = draw_number();
	memcpy(reading, numbers, sizeof(*reading));
}

static struct sw_need need_of(const struct sw_need_reading *readings,
			      size_t count)
{
	struct sw_need need;
	size_t i;

	sw_need_init(&need, 4096);
	for (i = 0; i < count; i++)
		sw_need_take(&need, &readings[i]);
	return need;
}

static void draw(struct sw_need_reading *readings)
{
	size_t i;

	for (i = 0; i < READINGS; i++)
		draw_reading(&readings[i]);
}

static void check_same(const struct sw_need *one, const struct sw_need *other)
{
	ck_assert_mem_eq(one, other, sizeof(*one));
	ck_assert_uint_eq(sw_need_low(one, NULL), sw_need_low(other, NULL));
	ck_assert_uint_eq(sw_need_floor(one), sw_need_floor(other));
}

START_TEST(order_does_not_matter)
{
	struct sw_need_reading readings[READINGS], other;
	struct sw_need need, again;
	size_t round, i;

	for (round = 0; round < ROUNDS; round++) {
		draw(readings);
		need = need_of(readings, READINGS);
		i = (size_t)(draw_uniform() * READINGS);
		other = readings[0];
		readings[0] = readings[i];
		readings[i] = other;
		again = need_of(readings, READINGS);
		check_same(&need, &again);
	}
}
END_TEST

/* The recorder reads cgroup and processes at once, a profile has 2 tables. */
START_TEST(cuts_do_not_matter)
{
	struct sw_need_reading readings[READINGS], processes;
	struct sw_need need, cut;
	size_t round, i;

	for (round = 0; round < ROUNDS; round++) {
		draw(readings);
		need = need_of(readings, READINGS);
		sw_need_init(&cut, 4096);
		for (i = 0; i < READINGS; i++) {
			sw_need_reading_init(&processes);
			processes.anon_low = readings[i].anon_low;
			processes.file_low = readings[i].file_low;
			processes.file_sum = readings[i].file_sum;
			processes.shmem_max = readings[i].shmem_max;
			processes.process_anon = readings[i].process_anon;
			processes.process_all = readings[i].process_all;
			sw_need_take(&cut, &processes);
			readings[i].anon_low = readings[i].file_low =
				readings[i].file_sum = readings[i].shmem_max =
				readings[i].process_anon =
				readings[i].process_all = SW_MISSING;
			sw_need_take(&cut, &readings[i]);
		}
		check_same(&need, &cut);
	}
}
END_TEST

START_TEST(again_and_nothing_change_nothing)
{
	struct sw_need_reading readings[READINGS], none;
	struct sw_need need, again;
	size_t round;

	sw_need_reading_init(&none);
	for (round = 0; round < ROUNDS; round++) {
		draw(readings);
		need = need_of(readings, READINGS);
		again = need;
		sw_need_take(&again, &none);
		sw_need_take(&again, &readings[READINGS / 2]);
		check_same(&need, &again);
	}
}
END_TEST

/* Memory needed once stays in the need, whatever is read later. */
START_TEST(more_is_never_less)
{
	struct sw_need_reading readings[READINGS];
	struct sw_need need;
	uint64_t low, before;
	size_t round, i;

	for (round = 0; round < ROUNDS; round++) {
		draw(readings);
		before = SW_MISSING;
		for (i = 0; i < READINGS; i++) {
			readings[i].parts.anon = sw_zero_if_missing(
				readings[i].parts.anon);
			readings[i].parts.shmem = sw_zero_if_missing(
				readings[i].parts.shmem);
			/* The mapped share may fall. */
			readings[i].refaults = SW_MISSING;
			need = need_of(readings, i + 1);
			low = sw_need_low(&need, NULL);
			ck_assert(sw_is_missing(before) || low >= before);
			before = low;
		}
	}
}
END_TEST

START_TEST(floor_is_never_below)
{
	struct sw_need_reading readings[READINGS];
	enum sw_need_source source;
	struct sw_need need;
	uint64_t low, floor;
	size_t round;

	for (round = 0; round < ROUNDS; round++) {
		draw(readings);
		need = need_of(readings, READINGS);
		low = sw_need_low(&need, &source);
		floor = sw_need_floor(&need);
		ck_assert(sw_is_missing(low) == (source == SW_NEED_NONE));
		ck_assert(sw_is_missing(low) ||
			  (!sw_is_missing(floor) && floor >= low));
	}
}
END_TEST

/* Unmapped page cache is no need, and does not affect the advice. */
START_TEST(page_cache_is_no_need)
{
	struct sw_need_reading readings[READINGS];
	struct sw_need need, less;
	size_t round, i;

	for (round = 0; round < ROUNDS; round++) {
		draw(readings);
		for (i = 0; i < READINGS; i++)
			readings[i].file_mapped = 0;
		need = need_of(readings, READINGS);
		for (i = 0; i < READINGS; i++)
			readings[i].file = SW_MISSING;
		less = need_of(readings, READINGS);
		ck_assert_uint_eq(sw_need_low(&need, NULL),
				  sw_need_low(&less, NULL));
		ck_assert_uint_eq(sw_need_floor(&need), sw_need_floor(&less));
	}
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("properties");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, order_does_not_matter);
	tcase_add_test(tcase, cuts_do_not_matter);
	tcase_add_test(tcase, again_and_nothing_change_nothing);
	tcase_add_test(tcase, more_is_never_less);
	tcase_add_test(tcase, floor_is_never_below);
	tcase_add_test(tcase, page_cache_is_no_need);
	return run_tests("need", tcase, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts by exit status and signal: bounded, and equal in any order. */
#include <check.h>

#include "common/exit_counts.h"
#include "common/missing.h"
#include "test/run_tests.h"

START_TEST(kinds_are_told_apart)
{
	struct sw_exit_counts counts = { .count = 0 };

	ck_assert_uint_eq(sw_exit_counts_add(&counts, 1, 2), 0);
	ck_assert_uint_eq(sw_exit_counts_add(&counts, SW_EXIT_SIGNAL + 1, 3), 1);
	ck_assert_uint_eq(sw_exit_counts_add(&counts, 1, 4), 0);
	ck_assert_uint_eq(sw_exit_counts_of(&counts, 1), 6);
	ck_assert_uint_eq(sw_exit_counts_of(&counts, SW_EXIT_SIGNAL + 1), 3);
	ck_assert_uint_eq(sw_exit_counts_of(&counts, 2), 0);
}
END_TEST

START_TEST(further_kinds_are_counted_together)
{
	struct sw_exit_counts counts = { .count = 0 }, sum = { .count = 0 };
	unsigned kind;

	for (kind = 1; kind <= SW_EXIT_KINDS_MAX + 3; kind++)
		sw_exit_counts_add(&counts, kind, kind);
	ck_assert_uint_eq(counts.count, SW_EXIT_KINDS_MAX);
	ck_assert_uint_eq(counts.other, 9 + 10 + 11);
	ck_assert_uint_eq(sw_exit_counts_of(&counts, 9), 0);
	ck_assert_uint_eq(sw_exit_counts_add(&counts, SW_EXIT_KINDS, 1),
			  SW_EXIT_KINDS_MAX);
	sw_exit_counts_add(&sum, 100, 1);
	sw_exit_counts_merge(&sum, &counts);
	ck_assert_uint_eq(sw_exit_counts_of(&sum, 100), 1);
	ck_assert_uint_eq(sw_exit_counts_of(&sum, 7), 7);
	ck_assert_uint_eq(sum.other, 8 + 9 + 10 + 11 + 1);
}
END_TEST

START_TEST(cumulative_counts_replace_earlier_ones)
{
	struct sw_exit_counts counts = { .count = 0 };

	sw_exit_counts_raise(&counts, 1, 2);
	sw_exit_counts_raise(&counts, 1, 5);
	sw_exit_counts_raise(&counts, 1, 4);
	sw_exit_counts_raise(&counts, SW_EXIT_KINDS, 3);
	sw_exit_counts_raise(&counts, SW_EXIT_KINDS, 4);
	ck_assert_uint_eq(sw_exit_counts_of(&counts, 1), 5);
	ck_assert_uint_eq(counts.other, 4);
	/* A sum that does not fit is unknown. */
	sw_exit_counts_add(&counts, 1, SW_MISSING - 2);
	ck_assert_uint_eq(sw_exit_counts_of(&counts, 1), SW_MISSING);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("counts");

	tcase_add_test(tests, kinds_are_told_apart);
	tcase_add_test(tests, further_kinds_are_counted_together);
	tcase_add_test(tests, cumulative_counts_replace_earlier_ones);
	return run_tests("exit_counts", tests, NULL);
}

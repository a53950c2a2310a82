/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probabilities against published and independently computed values. */
#include <check.h>
#include <math.h>

#include "analyzer/compare/chance.h"
#include "analyzer/compare/expected.h"
#include "test/run_tests.h"

/* Two-sided 5 % and 1 % points of t: Fisher and Yates, table III. */
START_TEST(t_is_students)
{
	ck_assert_double_eq_tol(sw_chance_t(2.776, 4), 0.05, 1e-4);
	ck_assert_double_eq_tol(sw_chance_t(4.604, 4), 0.01, 1e-5);
	ck_assert_double_eq_tol(sw_chance_t(-2.086, 20), 0.05, 1e-4);
	ck_assert_double_eq_tol(sw_chance_t(12.706, 1), 0.05, 1e-5);
	ck_assert_double_eq_tol(sw_chance_t(0, 7), 1, 1e-12);
	ck_assert_double_eq(sw_chance_t(INFINITY, 7), 0);
	/* 2 / pi * atan(1 / t) for one degree of freedom. */
	ck_assert_double_eq_tol(sw_chance_t(1e6, 1), 2 / M_PI * atan(1e-6),
				1e-15);
}
END_TEST

START_TEST(failures_are_fishers)
{
	/* The lady tasting tea: 4 of 4 in 8 cups, 1 of 70. */
	ck_assert_double_eq_tol(sw_chance_failures(4, 4, 0, 4), 1.0 / 70,
				1e-12);
	/* At least 3 of 4: 17 of 70. */
	ck_assert_double_eq_tol(sw_chance_failures(3, 4, 1, 4), 17.0 / 70,
				1e-12);
	ck_assert_double_eq_tol(sw_chance_failures(1, 1, 0, 40), 1.0 / 41,
				1e-12);
	ck_assert_double_eq(sw_chance_failures(0, 4, 3, 40), 1);
	ck_assert_double_eq(sw_chance_failures(5, 4, 3, 40), 1);
	ck_assert_double_eq(sw_chance_failures(1, 10, 100, 100), 1);
}
END_TEST

START_TEST(ranks_are_mann_and_whitneys)
{
	static const double low[] = { 1, 2, 3, 4, 5 };
	static const double high[] = { 6, 7, 8, 9, 10 };
	static const double mixed[] = { 2.5, 3.5, 6, 7, 8 };
	static const double ties[] = { 1, 1, 2, 2, 3, 3, 3 };

	/* 2 of 252 orders. */
	ck_assert_double_eq_tol(sw_chance_ranks(low, 5, high, 5), 2.0 / 252,
				1e-12);
	/* U = 5: 2 * 19 of 252, in table I of their paper for n = m = 5. */
	ck_assert_double_eq_tol(sw_chance_ranks(low, 5, mixed, 5),
				2 * 19.0 / 252, 1e-12);
	ck_assert_double_eq_tol(sw_chance_ranks(low, 5, low, 5), 1, 1e-9);
	ck_assert_double_eq_tol(sw_chance_ranks(ties, 7, ties, 7), 1, 1e-9);
	ck_assert_double_eq(sw_chance_ranks(low, 5, high, 0), 1);
}
END_TEST

START_TEST(correction_is_holms)
{
	double p[] = { 0.01, 0.011, 0.03, 0.8 };
	double *sorted[] = { &p[0], &p[1], &p[2], &p[3] };

	sw_chance_holm(sorted, 4, 4);
	ck_assert_double_eq_tol(p[0], 0.04, 1e-12);
	ck_assert_double_eq_tol(p[1], 0.04, 1e-12);
	ck_assert_double_eq_tol(p[2], 0.06, 1e-12);
	ck_assert_double_eq_tol(p[3], 0.8, 1e-12);
}
END_TEST

START_TEST(expects_by_input)
{
	struct sw_past_amounts past = { .count = 0 };
	struct sw_expected expected;

	for (; past.count < 8; past.count++) {
		past.input[past.count] = (double)(past.count + 1) * 1e9;
		past.amount[past.count] = (double)(past.count + 1) * 2e9;
	}
	sw_expect(&expected, &past, 16e9, 16e9, 1, 0.03);
	ck_assert(expected.is_by_input);
	ck_assert_uint_eq(expected.runs, 8);
	ck_assert_double_eq_tol(expected.amount / 32e9, 1, 1e-6);
	ck_assert_double_lt(expected.p, 1e-5);
	ck_assert_double_eq_tol(expected.rank_p, 1.0 / 9, 1e-12);
	/* Without its size, it is one of the others. */
	sw_expect(&expected, &past, 16e9, NAN, 1, 0.03);
	ck_assert(!expected.is_by_input);
	ck_assert_double_gt(expected.p, 0.05);
}
END_TEST

START_TEST(an_outlier_of_the_past_hides_little)
{
	struct sw_past_amounts past = { .count = 0 };
	struct sw_expected expected;

	for (; past.count < 40; past.count++) {
		past.input[past.count] = NAN;
		past.amount[past.count] = 100 + (double)(past.count % 5);
	}
	past.amount[17] = 100000;
	sw_expect(&expected, &past, 200, NAN, 1, 0.03);
	ck_assert_double_lt(expected.p, 1e-5);
	ck_assert_double_eq_tol(expected.rank_p, 2.0 / 41, 1e-12);
	past.count = 4;
	sw_expect(&expected, &past, 200, NAN, 1, 0.03);
	ck_assert_uint_eq(expected.runs, 0);
	ck_assert_double_eq(expected.p, 1);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("chance");

	tcase_add_test(tests, t_is_students);
	tcase_add_test(tests, failures_are_fishers);
	tcase_add_test(tests, ranks_are_mann_and_whitneys);
	tcase_add_test(tests, correction_is_holms);
	tcase_add_test(tests, expects_by_input);
	tcase_add_test(tests, an_outlier_of_the_past_hides_little);
	return run_tests("chance", tests, NULL);
}

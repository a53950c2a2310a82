/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formulas of counters: values, and invalid ones. */
#include "common/postfix.h"
#include "test/run_tests.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <string.h>

static const double terms[] = { 10, 20, 30, 40, 0, NAN };
static const struct sw_postfix_input input = { terms, 6, 2.5e9 };

static double value_of(const char *formula)
{
	double value = -1;

	ck_assert_msg(sw_postfix_value(formula, &input, &value) == 0, "%s",
		      formula);
	return value;
}

START_TEST(values)
{
	ck_assert_double_eq(value_of("N0"), 10);
	ck_assert_double_eq(value_of("N0|N1|+|"), 30);
	ck_assert_double_eq(value_of("N0|N1|-"), -10);
	ck_assert_double_eq(value_of("N3|N0|/|"), 4);
	ck_assert_double_eq(value_of("N0|#|*|N1|/|"), 1.25e9);
	ck_assert_double_eq(value_of("N0|N1|2|*|+|N2|4|*|+|N3|8|*|+|"), 490);
}
END_TEST

START_TEST(missing)
{
	ck_assert_double_nan(value_of("N0|N4|/|"));
	ck_assert_double_nan(value_of("N4|N4|/|"));
	ck_assert_double_nan(value_of("N0|N0|N4|/|+|"));
	ck_assert_double_nan(value_of("N0|N5|+|"));
	ck_assert_double_nan(value_of("N5|0|*|"));
}
END_TEST

static void is_none(const char *formula)
{
	double value = -1;

	errno = 0;
	ck_assert_msg(sw_postfix_value(formula, &input, &value) == -1, "%s",
		      formula);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_double_eq(value, -1);
}

START_TEST(no_formula)
{
	static const char *const bad[] = {
		"",
		"|",
		"+",
		"N",
		"N6",
		"N-1",
		"N 1",
		"n0",
		"N0|+|",
		"N0|N1",
		"N0||",
		"N0N1|+|",
		"-1",
		"1.5",
		"N0|2|%|",
		"N0|N1|+|x",
		"N18446744073709551616",
		"99999999999999999999",
	};
	char deep[200] = "";
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_none(bad[i]);
	for (i = 0; i < 40; i++)
		strcat(deep, "N0|");
	is_none(deep);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("formulas");

	tcase_add_test(tcase, values);
	tcase_add_test(tcase, missing);
	tcase_add_test(tcase, no_formula);
	return run_tests("postfix", tcase, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of curves, compared with the curves' values at each moment. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "analyzer/series/series.h"
#include "test/run_tests.h"

enum { CURVES = 9, INTERVALS = 40, SPAN = 400 };

static struct sw_curve curves[CURVES];
static uint64_t shifts[CURVES];
static unsigned seed;

static uint64_t draw(unsigned below)
{
	return (uint64_t)((unsigned)rand_r(&seed) % below);
}

/* In order of time, with holes, empty intervals and unknown values. */
static void fill(struct sw_curve *curve, size_t count)
{
	uint64_t now = draw(20);
	size_t i;

	ck_assert_int_eq(sw_curve_reserve(curve, count), 0);
	for (i = 0; i < count; i++) {
		curve->start_usec[i] = now;
		now += draw(10);
		curve->end_usec[i] = now;
		curve->value[i] = draw(8) ? (double)draw(100) : NAN;
		now += draw(3);
	}
	curve->count = count;
}

static void swap(struct sw_curve *curve, size_t i, size_t j)
{
	uint64_t start = curve->start_usec[i], end = curve->end_usec[i];
	double value = curve->value[i];

	curve->start_usec[i] = curve->start_usec[j];
	curve->end_usec[i] = curve->end_usec[j];
	curve->value[i] = curve->value[j];
	curve->start_usec[j] = start;
	curve->end_usec[j] = end;
	curve->value[j] = value;
}

/* Return NAN if no curve has a value there. */
static double value_at(const struct sw_curve *curve, uint64_t usec,
		       uint64_t shift)
{
	size_t i;

	for (i = 0; i < curve->count; i++) {
		if (curve->start_usec[i] + shift <= usec &&
		    usec < curve->end_usec[i] + shift &&
		    !isnan(curve->value[i]))
			return curve->value[i];
	}
	return NAN;
}

static double sum_at(uint64_t usec, size_t count)
{
	double sum = NAN, value;
	size_t i;

	for (i = 0; i < count; i++) {
		value = value_at(&curves[i], usec, shifts[i]);
		if (!isnan(value))
			sum = isnan(sum) ? value : sum + value;
	}
	return sum;
}

static void compare(const struct sw_curve *sum, size_t count)
{
	uint64_t usec;

	for (usec = 0; usec < SPAN; usec++) {
		double wanted = sum_at(usec, count);
		double got = value_at(sum, usec, 0);

		if (isnan(wanted))
			ck_assert_double_nan(got);
		else
			ck_assert_double_eq_tol(got, wanted, 1e-9);
	}
	for (usec = 1; usec < sum->count; usec++)
		ck_assert_uint_le(sum->end_usec[usec - 1],
				  sum->start_usec[usec]);
}

/* _i: number of curves; every third one is unsorted. */
START_TEST(sums_each_moment)
{
	const struct sw_curve *all[CURVES];
	struct sw_curve sum;
	size_t i, count = (size_t)_i;

	seed = (unsigned)_i + 1;
	for (i = 0; i < count; i++) {
		fill(&curves[i], 1 + draw(INTERVALS));
		shifts[i] = draw(30);
		if (i % 3 == 2)
			swap(&curves[i], 0, curves[i].count - 1);
		all[i] = &curves[i];
	}
	ck_assert_int_eq(sw_curve_sum(&sum, all, shifts, count), 0);
	compare(&sum, count);
	sw_curve_fini(&sum);
	for (i = 0; i < count; i++)
		sw_curve_fini(&curves[i]);
}
END_TEST

START_TEST(nothing)
{
	struct sw_curve sum, empty = { 0 };
	const struct sw_curve *one = &empty;

	ck_assert_int_eq(sw_curve_sum(&sum, &one, NULL, 1), 0);
	ck_assert_uint_eq(sum.count, 0);
	ck_assert_double_nan(sum.mean);
	sw_curve_fini(&sum);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("sums");

	tcase_add_loop_test(tests, sums_each_moment, 0, CURVES + 1);
	tcase_add_test(tests, nothing);
	return run_tests("curve_sum", tests, NULL);
}

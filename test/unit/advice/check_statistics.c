/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The statistics behind advice.  Expected numbers come from independent
 * sources: textbooks, definitions implemented in Python, numerical integration.
 */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "advice/drift.h"
#include "advice/line.h"
#include "advice/sample.h"
#include "advice/time_model.h"
#include "test/run_tests.h"
#include "test/unit/advice/draw_kit.h"


static void setup(void)
{
	draw_seed = 20261121;
}

START_TEST(medians_and_ranks)
{
	const double odd[] = { 5, 1, 3 }, even[] = { 4, 1, 3, 10 };
	/* scipy.stats.rankdata([0, 2, 3, 2]): its documentation's example */
	const double tied[] = { 0, 2, 3, 2 };
	double scratch[4], *ranks;

	ck_assert_double_eq(sw_sample_median(scratch, odd, 3), 3);
	ck_assert_double_eq(sw_sample_median(scratch, even, 4), 3.5);
	ck_assert_double_nan(sw_sample_median(scratch, even, 0));
	ranks = sw_sample_ranks(tied, 4);
	ck_assert_ptr_nonnull(ranks);
	ck_assert_double_eq(ranks[0], 1);
	ck_assert_double_eq(ranks[1], 2.5);
	ck_assert_double_eq(ranks[2], 4);
	ck_assert_double_eq(ranks[3], 2.5);
	free(ranks);
}
END_TEST

/* U_t as the sum of the signs of all differences, in Python. */
START_TEST(drift_is_found)
{
	const double change[] = { 10, 11, 9, 10, 12, 10, 11, 10,
				  20, 21, 19, 22, 20, 21, 20, 23 };
	const double none[] = { 3, 3, 1, 2, 5, 4, 3, 2, 4, 1 };
	struct sw_drift drift;

	ck_assert_int_eq(sw_drift_test(change, 16, &drift), 0);
	ck_assert(drift.is_drift);
	ck_assert_uint_eq(drift.change, 8);
	ck_assert_double_eq_tol(drift.p, 0.007055755283170262, 1e-12);
	ck_assert_double_eq(drift.ratio, 20.5 / 10);
	ck_assert_int_eq(sw_drift_test(none, 10, &drift), 0);
	ck_assert(!drift.is_drift);
	ck_assert_double_eq(drift.p, 1);
	ck_assert_uint_eq(drift.change, 4);
	ck_assert_int_eq(sw_drift_test(change, 5, &drift), 0);
	ck_assert_double_eq(drift.p, 1);
}
END_TEST

/* S, its variance and the normal distribution in Python; with ties. */
START_TEST(trend_is_found)
{
	const double rising[] = { 10, 12, 12, 15, 14, 19, 22, 22, 25 };
	struct sw_drift drift;

	ck_assert_int_eq(sw_drift_test(rising, 9, &drift), 0);
	ck_assert(drift.is_drift);
	ck_assert(drift.is_trend);
	ck_assert_str_eq(drift.test, "Mann and Kendall's test");
	ck_assert_double_eq_tol(drift.p, 0.0010843024087456854, 1e-12);
	ck_assert_double_eq(drift.ratio, 22.0 / 12);
}
END_TEST

START_TEST(drift_settles_or_not)
{
	double values[40];
	struct sw_drift drift;
	size_t from;

	for (size_t i = 0; i < 40; i++)
		values[i] = (i < 20 ? 10 : 30) + (double)(i * 7 % 3);
	ck_assert_int_eq(sw_drift_steady(values, 40, 3, &drift, &from), 0);
	ck_assert_uint_eq(from, 20);
	ck_assert_int_eq(sw_drift_steady(values, 40, 21, &drift, &from), 0);
	ck_assert_uint_eq(from, 40);
	for (size_t i = 0; i < 40; i++)
		values[i] = 10 + (double)(i * 7 % 3);
	ck_assert_int_eq(sw_drift_steady(values, 40, 3, &drift, &from), 0);
	ck_assert_uint_eq(from, 0);
	ck_assert(!drift.is_drift);
}
END_TEST

/* Exchangeable values are called drifting about as often as p states. */
START_TEST(drift_is_seldom_seen_in_noise)
{
	size_t found = 0;

	for (size_t i = 0; i < 2000; i++) {
		double values[30];
		struct sw_drift drift;

		for (size_t j = 0; j < 30; j++)
			values[j] = exp(draw_normal());
		ck_assert_int_eq(sw_drift_test(values, 30, &drift), 0);
		found += drift.is_drift;
	}
	ck_assert_uint_le(found, 2000 / 50);
}
END_TEST

/*
 * The 6-MP arm of E. Freireich et al., Blood 21 (1963) 699-716, the standard
 * example of Kaplan and Meier's estimate (0.857 at 6, 0.448 at 23), with one
 * more at risk for the next one: products of fractions, in Python.
 */
START_TEST(lower_bounds_count_as_such)
{
	const double ends[] = { 6, 6, 6, 7, 10, 13, 16, 22, 23 };
	const double bounds[] = { 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34,
				  35 };
	const double at[] = { 6, 7, 10, 13, 16, 22, 23 };
	const double above[] = {
		0.8636363636363636, 0.8156565656565656, 0.7646780303030303,
		0.7058566433566433, 0.6470352564102564, 0.5661558493589743,
		0.4852764423076923,
	};
	struct sw_survival survival = { 0 };

	for (size_t i = 0; i < 12; i++)
		ck_assert_int_eq(sw_survival_add(&survival, bounds[i], true),
				 0);
	for (size_t i = 0; i < 9; i++)
		ck_assert_int_eq(sw_survival_add(&survival, ends[i], false),
				 0);
	for (size_t i = 0; i < 7; i++)
		ck_assert_double_eq_tol(sw_survival_above(&survival, at[i]),
					above[i], 1e-12);
	ck_assert_double_eq(sw_survival_limit(&survival, 0.6).value, 22);
	ck_assert_int_eq(sw_survival_add(&survival, 0, false), -1);
	ck_assert_int_eq(sw_survival_add(&survival, NAN, false), -1);
	ck_assert_int_eq(sw_survival_add(&survival, INFINITY, true), -1);
	ck_assert_uint_eq(survival.count, 21);
	sw_survival_fini(&survival);
}
END_TEST

/* exp(-rate x) against a gamma density, integrated numerically in Python. */
START_TEST(tail_is_fitted)
{
	const double ends[] = { 100, 110, 120, 150, 200, 240, 260, 300 };
	struct sw_survival survival = { 0 };
	struct sw_survival_limit limit;

	for (size_t i = 0; i < 8; i++)
		ck_assert_int_eq(sw_survival_add(&survival, ends[i], false),
				 0);
	ck_assert_double_eq_tol(sw_survival_above(&survival, 600),
				0.06747552622038167, 1e-8);
	ck_assert_double_eq_tol(sw_survival_above(&survival, 1000),
				0.03624648243047194, 1e-8);
	limit = sw_survival_limit(&survival, 0.02);
	ck_assert(limit.is_fitted);
	ck_assert_double_eq_tol(limit.value, 1819.4067, 1e-2);
	ck_assert_double_eq_tol(sw_survival_above(&survival, limit.value),
				0.02, 1e-9);
	limit = sw_survival_limit(&survival, 1.0 / 9);
	ck_assert(!limit.is_fitted);
	ck_assert_double_eq(limit.value, 300);
	sw_survival_fini(&survival);
}
END_TEST

START_TEST(tail_with_lower_bounds)
{
	const double ends[] = { 100, 110, 120, 150, 200, 240, 260, 280 };
	const double bounds[] = { 250, 300 };
	struct sw_survival survival = { 0 };

	for (size_t i = 0; i < 8; i++)
		ck_assert_int_eq(sw_survival_add(&survival, ends[i], false),
				 0);
	for (size_t i = 0; i < 2; i++)
		ck_assert_int_eq(sw_survival_add(&survival, bounds[i], true),
				 0);
	ck_assert_double_eq_tol(sw_survival_above(&survival, 400),
				0.1885042685093209, 1e-8);
	ck_assert_double_eq_tol(sw_survival_above(&survival, 1000),
				0.061059150315612834, 1e-8);
	sw_survival_fini(&survival);
}
END_TEST

START_TEST(too_few_have_no_tail)
{
	struct sw_survival survival = { 0 };

	ck_assert_double_nan(sw_survival_limit(&survival, 0.1).value);
	ck_assert_double_nan(sw_survival_largest(&survival));
	ck_assert_int_eq(sw_survival_add(&survival, 5, false), 0);
	ck_assert_int_eq(sw_survival_add(&survival, 9, true), 0);
	ck_assert_double_nan(sw_survival_limit(&survival, 0.1).value);
	ck_assert_double_eq(sw_survival_limit(&survival, 0.7).value, 5);
	sw_survival_fini(&survival);
}
END_TEST

/* Values of one distribution exceed the limit at most as often as stated. */
static void hold_risk(double risk, size_t count, double (*draw)(void))
{
	double deviation = sqrt(risk * (1 - risk) / 4000);
	size_t above = 0;

	for (size_t i = 0; i < 4000; i++) {
		struct sw_survival survival = { 0 };

		for (size_t j = 0; j < count; j++)
			ck_assert_int_eq(sw_survival_add(&survival, draw(),
							 false), 0);
		above += draw() > sw_survival_limit(&survival, risk).value;
		sw_survival_fini(&survival);
	}
	ck_assert_double_le((double)above / 4000, risk + 4 * deviation);
}

static double draw_lognormal(void)
{
	return exp(0.7 * draw_normal());
}

/* With infinite variance: Pareto's with exponent 1.5. */
static double draw_pareto(void)
{
	return pow(draw_uniform(), -1 / 1.5);
}

static double draw_two_kinds(void)
{
	return (draw_uniform() < 0.3 ? 1000 : 10) * (1 + 0.05 * draw_uniform());
}

START_TEST(risk_is_kept)
{
	const size_t counts[] = { 3, 10, 40, 150 };

	for (size_t i = 0; i < 4; i++) {
		hold_risk(0.05, counts[i], draw_lognormal);
		hold_risk(0.05, counts[i], draw_pareto);
		hold_risk(0.02, counts[i], draw_lognormal);
	}
	hold_risk(0.05, 40, draw_two_kinds);
	hold_risk(0.10, 10, draw_two_kinds);
}
END_TEST

START_TEST(input_explains_time)
{
	struct sw_time_model model;

	sw_time_model_init(&model, 0.05);
	for (size_t i = 0; i < 60; i++) {
		double input = pow(10, 6 + 4 * draw_uniform());

		ck_assert_int_eq(sw_time_model_learn(
			&model, 1e-5 * input * exp(0.05 * draw_normal()), false,
			input), 0);
	}
	ck_assert(sw_time_model_limit(&model, 1e9).is_by_input);
	ck_assert_double_ge(sw_time_model_limit(&model, 1e9).seconds, 1e4);
	/* Four standard deviations of the drawn values. */
	ck_assert_double_le(sw_time_model_limit(&model, 1e9).seconds,
			    1e4 * exp(4 * 0.05));
	ck_assert_double_le(sw_time_model_limit(&model, 1e7).seconds,
			    1e2 * exp(4 * 0.05));
	ck_assert(!sw_time_model_limit(&model, NAN).is_by_input);
	ck_assert_int_eq(sw_time_model_learn(&model, -1, false, NAN), -1);
	sw_time_model_fini(&model);
}
END_TEST

START_TEST(input_that_explains_nothing)
{
	struct sw_time_model model;

	sw_time_model_init(&model, 0.05);
	for (size_t i = 0; i < 60; i++)
		ck_assert_int_eq(sw_time_model_learn(
			&model, 1000 * exp(0.3 * draw_normal()), false,
			pow(10, 6 + 4 * draw_uniform())), 0);
	ck_assert(!sw_time_model_limit(&model, 1e9).is_by_input);
	ck_assert(!sw_time_model_limit(&model, 0).is_by_input);
	sw_time_model_fini(&model);
}
END_TEST

START_TEST(lines_of_weighted_points)
{
	/*
	 * mx = sum(w x) / sum(w), my likewise; slope = sum(w (x - mx) (y - my))
	 * / sum(w (x - mx)^2), r = the same / sqrt(sum(w (x - mx)^2) * sum(w
	 * (y - my)^2)), in Python.  A point without weight changes nothing.
	 */
	const double x[] = { 1, 2, 4, 7, 50 }, y[] = { 2, 3, 9, 11, 0 };
	const double weights[] = { 1, 2, 0.5, 4, 0 };
	struct sw_line_sums sums = { 0 }, same = { 0 };
	struct sw_line line;

	for (size_t i = 0; i < 5; i++)
		sw_line_sums_add(&sums, x[i], y[i], weights[i]);
	line = sw_line_of(&sums);
	ck_assert_double_eq_tol(line.slope, 1.5369127516778527, 1e-12);
	ck_assert_double_eq_tol(line.intercept, 0.3610738255033539, 1e-12);
	ck_assert_double_eq_tol(sw_line_correlation(&sums),
				0.985209176350102, 1e-12);
	for (size_t i = 0; i < 5; i++)
		sw_line_sums_add(&same, 3, y[i], 1);
	line = sw_line_of(&same);
	ck_assert_double_eq(line.slope, 0);
	ck_assert_double_eq_tol(sw_line_at(&line, 9), 5, 1e-12);
	ck_assert_double_nan(sw_line_correlation(&same));
}
END_TEST

/* statistics.quantiles([...], n=20, method="inclusive") of Python. */
START_TEST(quantiles_between_two)
{
	const double sorted[] = { 1, 2, 4, 8, 16, 40 };

	ck_assert_double_eq_tol(sw_quantile(sorted, 6, 0.05), 1.25, 1e-12);
	ck_assert_double_eq_tol(sw_quantile(sorted, 6, 0.25), 2.5, 1e-12);
	ck_assert_double_eq_tol(sw_quantile(sorted, 6, 0.5), 6, 1e-12);
	ck_assert_double_eq_tol(sw_quantile(sorted, 6, 0.75), 14, 1e-12);
	ck_assert_double_eq_tol(sw_quantile(sorted, 6, 0.95), 34, 1e-12);
	ck_assert_double_eq(sw_quantile(sorted, 6, 0), 1);
	ck_assert_double_eq(sw_quantile(sorted, 6, 1), 40);
	ck_assert_double_eq(sw_quantile(sorted, 1, 0.3), 1);
}
END_TEST

/*
 * 40 values with many ties.  Pettitt: K = max |sum of sign(v[j] - v[i]), i < t
 * <= j|, 2 exp(-6 K^2 / (n^3 + n^2)), at t = 21.  For the nine, where it finds
 * nothing, Kendall: S = sum of sign(v[j] - v[i]), i < j; variance (n (n - 1) (2
 * n + 5) - sum of t (t - 1) (2 t + 5)) / 18; erfc((|S| - 1) / sqrt(2
 * variance)); in Python.
 */
START_TEST(drift_with_equals)
{
	const double values[] = {
		10, 12, 14, 12, 14, 11, 13, 15, 13, 15, 12, 14, 16, 14,
		16, 13, 15, 17, 15, 17, 14, 16, 18, 16, 18, 15, 17, 19,
		17, 19, 16, 18, 20, 18, 20, 17, 19, 21, 19, 21,
	};
	const double trend[] = { 10, 11, 10, 13, 14, 13, 16, 17, 16 };
	struct sw_drift drift;

	ck_assert_int_eq(sw_drift_test(values, 40, &drift), 0);
	ck_assert_uint_eq(drift.change, 21);
	ck_assert_double_eq_tol(drift.p, 1.1665258384058025e-05, 1e-15);
	ck_assert_int_eq(sw_drift_test(trend, 9, &drift), 0);
	ck_assert(drift.is_trend);
	ck_assert_double_eq_tol(drift.p, 0.005851398303974309, 1e-12);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("statistics");

	tcase_set_timeout(tests, 120);
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, medians_and_ranks);
	tcase_add_test(tests, drift_is_found);
	tcase_add_test(tests, trend_is_found);
	tcase_add_test(tests, drift_settles_or_not);
	tcase_add_test(tests, drift_is_seldom_seen_in_noise);
	tcase_add_test(tests, lower_bounds_count_as_such);
	tcase_add_test(tests, tail_is_fitted);
	tcase_add_test(tests, tail_with_lower_bounds);
	tcase_add_test(tests, too_few_have_no_tail);
	tcase_add_test(tests, risk_is_kept);
	tcase_add_test(tests, input_explains_time);
	tcase_add_test(tests, input_that_explains_nothing);
	tcase_add_test(tests, lines_of_weighted_points);
	tcase_add_test(tests, quantiles_between_two);
	tcase_add_test(tests, drift_with_equals);
	return run_tests("statistics", tests, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The statistics behind advice about time, and that advice.  Numbers to
 * compare with come from elsewhere: textbooks, definitions that were written
 * down in Python, numerical integration.
 */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "advice/advisors.h"
#include "advice/drift.h"
#include "advice/sample.h"
#include "advice/survival.h"
#include "advice/time_model.h"

enum { RUNS_MAX = 1200 };

static struct sw_run items[RUNS_MAX];
static struct sw_runs runs = { items, 0 };
static struct sw_suggestion suggestion;
static struct sw_query query = {
	.input_bytes = NAN, .requested_bytes = NAN, .start_seconds = NAN,
};
static struct sw_policy policy;
static uint64_t seed;

/* Uniform in (0, 1): xorshift64* (S. Vigna, TOMS 42 (2016) 30). */
static double uniform(void)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return ((double)(seed * 2685821657736338717u >> 11) + 0.5) / 0x1p53;
}

/* Normal by Box and Muller. */
static double normal(void)
{
	double radius = sqrt(-2 * log(uniform()));

	return radius * cos(2 * M_PI * uniform());
}

static void setup(void)
{
	runs.count = 0;
	policy = sw_policy_default;
	query.input_bytes = NAN;
	seed = 20261121;
}

static struct sw_run *add_run(enum sw_run_state state, double seconds,
			      double limit)
{
	struct sw_run *run = &items[runs.count++];

	ck_assert(runs.count <= RUNS_MAX);
	*run = sw_run_unknown;
	run->state = state;
	run->elapsed_seconds = seconds;
	run->requested_seconds = limit;
	run->requested_cores = 4;
	return run;
}

static void add_runs(const double *seconds, size_t count, double limit)
{
	for (size_t i = 0; i < count; i++)
		add_run(SW_RUN_COMPLETED, seconds[i], limit);
}

static void ask(void)
{
	ck_assert_int_eq(sw_advisor_time.advise(&runs, &query, &policy,
						&suggestion), 0);
	ck_assert_int_eq(suggestion.resource, SW_RESOURCE_TIME);
	ck_assert(*suggestion.why);
	ck_assert(!suggestion.is_refused || isnan(suggestion.suggested));
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

/* Exchangeable values are called drifting about as often as p says. */
START_TEST(drift_is_seldom_seen_in_noise)
{
	size_t found = 0;

	for (size_t i = 0; i < 2000; i++) {
		double values[30];
		struct sw_drift drift;

		for (size_t j = 0; j < 30; j++)
			values[j] = exp(normal());
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

/* Values that are drawn alike exceed the limit as often as stated, or less. */
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
	return exp(0.7 * normal());
}

/* Of infinite variance: Pareto's with exponent 1.5. */
static double draw_pareto(void)
{
	return pow(uniform(), -1 / 1.5);
}

static double draw_two_kinds(void)
{
	return (uniform() < 0.3 ? 1000 : 10) * (1 + 0.05 * uniform());
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
		double input = pow(10, 6 + 4 * uniform());

		ck_assert_int_eq(sw_time_model_learn(
			&model, 1e-5 * input * exp(0.05 * normal()), false,
			input), 0);
	}
	ck_assert(sw_time_model_limit(&model, 1e9).is_by_input);
	ck_assert_double_ge(sw_time_model_limit(&model, 1e9).seconds, 1e4);
	ck_assert_double_le(sw_time_model_limit(&model, 1e9).seconds, 1.2e4);
	ck_assert_double_le(sw_time_model_limit(&model, 1e7).seconds, 120);
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
			&model, 1000 * exp(0.3 * normal()), false,
			pow(10, 6 + 4 * uniform())), 0);
	ck_assert(!sw_time_model_limit(&model, 1e9).is_by_input);
	ck_assert(!sw_time_model_limit(&model, 0).is_by_input);
	sw_time_model_fini(&model);
}
END_TEST

static TCase *statistics_case(void)
{
	TCase *tcase = tcase_create("statistics");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, medians_and_ranks);
	tcase_add_test(tcase, drift_is_found);
	tcase_add_test(tcase, trend_is_found);
	tcase_add_test(tcase, drift_settles_or_not);
	tcase_add_test(tcase, drift_is_seldom_seen_in_noise);
	tcase_add_test(tcase, lower_bounds_count_as_such);
	tcase_add_test(tcase, tail_is_fitted);
	tcase_add_test(tcase, tail_with_lower_bounds);
	tcase_add_test(tcase, too_few_have_no_tail);
	tcase_add_test(tcase, risk_is_kept);
	tcase_add_test(tcase, input_explains_time);
	tcase_add_test(tcase, input_that_explains_nothing);
	return tcase;
}

/* Times of about ten hours, of which a day was asked for. */
static const double about_ten_hours[] = {
	36000, 36100, 35800, 36300, 36050, 35900, 36200, 36150, 35950, 36020,
	36080, 35850, 36010, 36220, 36130, 35970, 36060, 35990, 36030, 36110,
};

enum { DAY = 86400 };

START_TEST(limit_is_shorter)
{
	add_runs(about_ten_hours, 20, 2 * DAY);
	ask();
	ck_assert(!suggestion.is_refused);
	ck_assert_double_ge(suggestion.suggested, 36300);
	ck_assert_double_lt(suggestion.suggested, DAY);
	ck_assert_double_eq(fmod(suggestion.suggested, 60), 0);
	ck_assert_double_le(suggestion.risk, 0.02);
	ck_assert_double_eq(suggestion.current, 2 * DAY);
	ck_assert_uint_eq(suggestion.ladder_count, 1);
	ck_assert_double_eq(suggestion.ladder[0], 2 * DAY);
	ck_assert_uint_eq(suggestion.runs, 20);
	ck_assert_uint_eq(suggestion.backtest.of, 17);
	ck_assert_uint_eq(suggestion.backtest.fits, 17);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "backfill"));
}
END_TEST

START_TEST(risk_can_be_chosen)
{
	double low;

	add_runs(about_ten_hours, 20, 2 * DAY);
	ask();
	low = suggestion.suggested;
	policy.risk = SW_RISK_HIGH;
	ask();
	ck_assert_double_lt(suggestion.suggested, low);
	ck_assert_double_le(suggestion.risk, 0.10);
}
END_TEST

START_TEST(limit_that_fits_stays)
{
	double fits;

	add_runs(about_ten_hours, 20, 2 * DAY);
	ask();
	fits = suggestion.suggested * 1.05;
	items[19].requested_seconds = fits;
	ask();
	ck_assert(!suggestion.is_refused);
	ck_assert_double_eq(suggestion.suggested, fits);
	ck_assert_uint_eq(suggestion.ladder_count, 0);
}
END_TEST

START_TEST(nothing_to_go_by)
{
	ask();
	ck_assert(suggestion.is_refused);
	ck_assert_double_nan(suggestion.current);
	add_run(SW_RUN_COMPLETED, 100, 3600);
	ask();
	ck_assert(suggestion.is_refused);
	ck_assert(*suggestion.would_help);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "1 run came"));
	runs.count = 0;
	for (size_t i = 0; i < 5; i++)
		add_run(SW_RUN_FAILED, 100, 3600);
	ask();
	ck_assert(suggestion.is_refused);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "no run came"));
}
END_TEST

START_TEST(absurd_times_are_left_out)
{
	const double absurd[] = { 0, -5, NAN, INFINITY, 1e300 };

	for (size_t i = 0; i < 5; i++)
		add_run(SW_RUN_COMPLETED, absurd[i], 2 * DAY);
	ask();
	ck_assert(suggestion.is_refused);
	add_runs(about_ten_hours, 20, 2 * DAY);
	ask();
	ck_assert(!suggestion.is_refused);
	ck_assert_uint_eq(suggestion.runs, 20);
}
END_TEST

START_TEST(different_times_are_refused)
{
	const double wide[] = { 30000, 70000, 150000 };

	add_runs(wide, 3, 2 * DAY);
	ask();
	ck_assert(suggestion.is_refused);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "risk of 2.0 %"));
	items[2].requested_seconds = NAN;
	ask();
	ck_assert(suggestion.is_refused);
}
END_TEST

START_TEST(killed_runs_get_a_step_up)
{
	for (size_t i = 0; i < 4; i++)
		add_run(SW_RUN_TIMEOUT, 3605, 3600);
	ask();
	ck_assert(!suggestion.is_refused);
	ck_assert(suggestion.is_at_least);
	ck_assert_double_ge(suggestion.suggested, 7200);
	ck_assert_double_nan(suggestion.risk);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "killed"));
	/* Asked for much more since: nobody knows whether it is enough. */
	items[3].requested_seconds = DAY;
	items[3].state = SW_RUN_CANCELLED;
	ask();
	ck_assert(suggestion.is_refused);
}
END_TEST

START_TEST(drifting_runs_are_refused)
{
	double seconds = 3600;

	for (size_t i = 0; i < 24; i++, seconds *= 1.1)
		add_run(SW_RUN_COMPLETED, seconds, 30 * DAY);
	ask();
	ck_assert(suggestion.is_refused);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "drift"));
	ck_assert_ptr_nonnull(strstr(suggestion.why, "p = "));
}
END_TEST

/* Those who became slower are told by what they are now; others are not. */
START_TEST(change_is_noticed)
{
	add_runs(about_ten_hours, 20, 20 * DAY);
	for (size_t i = 0; i < 20; i++)
		add_run(SW_RUN_COMPLETED, 3 * about_ten_hours[i], 20 * DAY);
	ask();
	ck_assert(!suggestion.is_refused);
	ck_assert_uint_eq(suggestion.runs, 20);
	ck_assert_double_ge(suggestion.suggested, 3 * 36300);
	runs.count = 0;
	for (size_t i = 0; i < 20; i++)
		add_run(SW_RUN_COMPLETED, 3 * about_ten_hours[i], 20 * DAY);
	add_runs(about_ten_hours, 20, 20 * DAY);
	ask();
	ck_assert(!suggestion.is_refused);
	ck_assert_uint_eq(suggestion.runs, 40);
	ck_assert_double_ge(suggestion.suggested, 3 * 36300);
}
END_TEST

/*
 * At low risk: never below what was seen, and a run that took longer than the
 * limit never lowers it.
 */
START_TEST(longer_runs_never_lower_it)
{
	for (size_t group = 0; group < 60; group++) {
		double before, longest = 0, spread = uniform();

		runs.count = 0;
		for (size_t i = 0; i < 3 + group; i++) {
			double seconds = 3600 * exp(spread * normal());

			longest = fmax(longest, seconds);
			add_run(SW_RUN_COMPLETED, seconds, NAN);
		}
		ask();
		before = suggestion.suggested;
		if (suggestion.is_refused)
			continue;
		ck_assert_double_ge(before, longest - 1e-6);
		add_run(SW_RUN_COMPLETED, before * (1 + uniform()), NAN);
		ask();
		ck_assert(suggestion.is_refused ||
			  suggestion.suggested >= before);
	}
}
END_TEST

static TCase *time_case(void)
{
	TCase *tcase = tcase_create("time");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, limit_is_shorter);
	tcase_add_test(tcase, risk_can_be_chosen);
	tcase_add_test(tcase, limit_that_fits_stays);
	tcase_add_test(tcase, nothing_to_go_by);
	tcase_add_test(tcase, absurd_times_are_left_out);
	tcase_add_test(tcase, different_times_are_refused);
	tcase_add_test(tcase, killed_runs_get_a_step_up);
	tcase_add_test(tcase, drifting_runs_are_refused);
	tcase_add_test(tcase, change_is_noticed);
	tcase_add_test(tcase, longer_runs_never_lower_it);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("advice about time");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, statistics_case());
	suite_add_tcase(suite, time_case());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}

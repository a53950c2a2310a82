/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice on time as seen by a user: limits, refusals, steps up. */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "advice/advisors.h"
#include "test/run_tests.h"
#include "test/unit/advice/draw_kit.h"

enum { RUNS_MAX = 1200 };

static struct sw_run items[RUNS_MAX];
static struct sw_runs runs = { items, 0 };
static struct sw_suggestion suggestion;
static struct sw_query query = {
	.input_bytes = NAN, .requested_bytes = NAN, .start_seconds = NAN,
};
static struct sw_policy policy;

static void setup(void)
{
	runs.count = 0;
	policy = sw_policy_default;
	query.input_bytes = NAN;
	draw_seed = 20261121;
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
	ck_assert(!suggestion.is_withheld || isnan(suggestion.suggested));
}

/* Times of about ten hours, with a day requested. */
static const double about_ten_hours[] = {
	36000, 36100, 35800, 36300, 36050, 35900, 36200, 36150, 35950, 36020,
	36080, 35850, 36010, 36220, 36130, 35970, 36060, 35990, 36030, 36110,
};

enum { DAY = 86400 };

START_TEST(limit_is_shorter)
{
	add_runs(about_ten_hours, 20, 2 * DAY);
	ask();
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_ge(suggestion.suggested, 36300);
	ck_assert_double_lt(suggestion.suggested, DAY);
	ck_assert_double_eq(fmod(suggestion.suggested, 60), 0);
	ck_assert_double_le(suggestion.risk, 0.02);
	ck_assert_double_eq(suggestion.current, 2 * DAY);
	ck_assert_uint_eq(suggestion.retry_count, 1);
	ck_assert_double_eq(suggestion.retries[0], 2 * DAY);
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
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_eq(suggestion.suggested, fits);
	ck_assert_uint_eq(suggestion.retry_count, 0);
}
END_TEST

START_TEST(nothing_to_go_by)
{
	ask();
	ck_assert(suggestion.is_withheld);
	ck_assert_double_nan(suggestion.current);
	add_run(SW_RUN_COMPLETED, 100, 3600);
	ask();
	ck_assert(suggestion.is_withheld);
	ck_assert(*suggestion.remedy);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "has 1"));
	runs.count = 0;
	for (size_t i = 0; i < 5; i++)
		add_run(SW_RUN_FAILED, 100, 3600);
	ask();
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "has 0 of 5"));
}
END_TEST

START_TEST(impossible_times_are_ignored)
{
	const double impossible[] = { 0, -5, NAN, INFINITY, 1e300 };

	for (size_t i = 0; i < 5; i++)
		add_run(SW_RUN_COMPLETED, impossible[i], 2 * DAY);
	ask();
	ck_assert(suggestion.is_withheld);
	add_runs(about_ten_hours, 20, 2 * DAY);
	ask();
	ck_assert(!suggestion.is_withheld);
	ck_assert_uint_eq(suggestion.runs, 20);
}
END_TEST

START_TEST(different_times_are_withheld)
{
	const double wide[] = { 30000, 70000, 150000 };

	add_runs(wide, 3, 2 * DAY);
	ask();
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "risk of 2.0 %"));
	items[2].requested_seconds = NAN;
	ask();
	ck_assert(suggestion.is_withheld);
}
END_TEST

START_TEST(killed_runs_get_a_step_up)
{
	for (size_t i = 0; i < 4; i++)
		add_run(SW_RUN_TIMEOUT, 3605, 3600);
	ask();
	ck_assert(!suggestion.is_withheld);
	ck_assert(suggestion.is_lower_bound);
	ck_assert_double_ge(suggestion.suggested, 7200);
	ck_assert_double_nan(suggestion.risk);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "killed"));
	/* Much more requested since: it is not known whether that is enough. */
	items[3].requested_seconds = DAY;
	items[3].state = SW_RUN_CANCELLED;
	ask();
	ck_assert(suggestion.is_withheld);
}
END_TEST

/* No tail is fitted to values that hardly differ. */
START_TEST(alike_runs_take_as_long)
{
	for (size_t i = 0; i < 6; i++)
		add_run(SW_RUN_COMPLETED, 3600, DAY);
	ask();
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_ge(suggestion.suggested, 3600 * 1.25);
	ck_assert_double_le(suggestion.suggested, 3600 * 1.5);
	ck_assert_double_le(suggestion.risk, 0.02);
	runs.count = 3;
	ask();
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_eq(suggestion.suggested, 7200);
	/* A run that took longer is a reason. */
	add_run(SW_RUN_COMPLETED, 2 * 3600, DAY);
	ask();
	ck_assert(suggestion.is_withheld || suggestion.suggested > 3 * 3600);
}
END_TEST

/* A run that hung or spun does not need more time. */
START_TEST(hung_runs_get_no_time)
{
	for (size_t i = 0; i < 3; i++)
		add_run(SW_RUN_TIMEOUT, 600, 600)->waiting_share = 0.97;
	add_run(SW_RUN_TIMEOUT, 600, 600)->used_core_seconds = 0.2;
	ask();
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "4 runs did next to no"));
	/* A run that failed by itself was not stopped. */
	runs.count = 0;
	add_run(SW_RUN_FAILED, 0.3, 600)->waiting_share = 0.97;
	ask();
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_null(strstr(suggestion.why, "next to no"));
	runs.count = 0;
	/* Neither does one more among those that finish. */
	for (size_t i = 0; i < 60; i++)
		add_run(SW_RUN_COMPLETED, 300, 600)->waiting_share = 0.1;
	add_run(SW_RUN_TIMEOUT, 600, 600)->waiting_share = 0.97;
	ask();
	ck_assert(suggestion.is_withheld || suggestion.suggested <= 600);
}
END_TEST

/* An engine waits for its jobs; a copy from a slow disk uses little CPU. */
START_TEST(waiting_runs_get_a_step_up)
{
	for (size_t i = 0; i < 3; i++)
		add_run(SW_RUN_COMPLETED, 500, 600)->waiting_share = 0.95;
	add_run(SW_RUN_TIMEOUT, 600, 600)->waiting_share = 0.97;
	ask();
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_ge(suggestion.suggested, 1200);
	runs.count = 0;
	for (size_t i = 0; i < 3; i++) {
		struct sw_run *run = add_run(SW_RUN_TIMEOUT, 3600, 3600);

		run->io_share = 0.9;
		run->used_core_seconds = 3;
	}
	ask();
	ck_assert(!suggestion.is_withheld);
}
END_TEST

START_TEST(drifting_runs_are_withheld)
{
	double seconds = 3600;

	for (size_t i = 0; i < 24; i++, seconds *= 1.1)
		add_run(SW_RUN_COMPLETED, seconds, 30 * DAY);
	ask();
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "drift"));
	ck_assert_ptr_nonnull(strstr(suggestion.why, "p = "));
	ck_assert_ptr_nonnull(strstr(suggestion.remedy, "input sizes"));
	for (size_t i = 0; i < 24; i++)
		items[i].input_bytes = 1e9;
	query.input_bytes = 1e9;
	ask();
	ck_assert(suggestion.is_withheld);
	ck_assert_str_eq(suggestion.remedy,
			 "a few more runs like the next one");
}
END_TEST

/* Runs that became slower are judged by the recent ones only; others not. */
START_TEST(change_is_noticed)
{
	add_runs(about_ten_hours, 20, 20 * DAY);
	for (size_t i = 0; i < 20; i++)
		add_run(SW_RUN_COMPLETED, 3 * about_ten_hours[i], 20 * DAY);
	ask();
	ck_assert(!suggestion.is_withheld);
	ck_assert_uint_eq(suggestion.runs, 20);
	ck_assert_double_ge(suggestion.suggested, 3 * 36300);
	runs.count = 0;
	for (size_t i = 0; i < 20; i++)
		add_run(SW_RUN_COMPLETED, 3 * about_ten_hours[i], 20 * DAY);
	add_runs(about_ten_hours, 20, 20 * DAY);
	ask();
	ck_assert(!suggestion.is_withheld);
	ck_assert_uint_eq(suggestion.runs, 40);
	ck_assert_double_ge(suggestion.suggested, 3 * 36300);
}
END_TEST

/*
 * At low risk: never below the observed maximum, and a run that took longer
 * than the limit never lowers it.
 */
START_TEST(longer_runs_never_lower_it)
{
	for (size_t group = 0; group < 60; group++) {
		double before, longest = 0, spread = draw_uniform();

		runs.count = 0;
		for (size_t i = 0; i < 3 + group; i++) {
			double seconds = 3600 * exp(spread * draw_normal());

			longest = fmax(longest, seconds);
			add_run(SW_RUN_COMPLETED, seconds, NAN);
		}
		ask();
		before = suggestion.suggested;
		if (suggestion.is_withheld)
			continue;
		ck_assert_double_ge(before, longest - 1e-6);
		add_run(SW_RUN_COMPLETED, before * (1 + draw_uniform()), NAN);
		ask();
		ck_assert(suggestion.is_withheld ||
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
	tcase_add_test(tcase, impossible_times_are_ignored);
	tcase_add_test(tcase, different_times_are_withheld);
	tcase_add_test(tcase, killed_runs_get_a_step_up);
	tcase_add_test(tcase, alike_runs_take_as_long);
	tcase_add_test(tcase, hung_runs_get_no_time);
	tcase_add_test(tcase, waiting_runs_get_a_step_up);
	tcase_add_test(tcase, drifting_runs_are_withheld);
	tcase_add_test(tcase, change_is_noticed);
	tcase_add_test(tcase, longer_runs_never_lower_it);
	return tcase;
}

int main(void)
{
	return run_tests("advice about time", time_case(), NULL);
}

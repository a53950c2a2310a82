/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice on memory as seen by a user: numbers, refusals, steps up. */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "advice/advisors.h"
#include "advice/text.h"
#include "test/run_tests.h"
#include "test/unit/advice/draw_kit.h"

#define MIB (1024.0 * 1024)
#define GIB (1024 * MIB)

enum { RUNS_MAX = 500 };

static struct sw_run items[RUNS_MAX];
static struct sw_runs runs = { items, 0 };
static struct sw_suggestion suggestion;
static struct sw_query query;
static struct sw_policy policy;

static void setup(void)
{
	runs.count = 0;
	policy = sw_policy_default;
	query = (struct sw_query){
		.input_bytes = NAN, .requested_bytes = NAN,
		.start_seconds = NAN,
	};
}

static struct sw_run *add_run(double need, double requested)
{
	struct sw_run *run = &items[runs.count++];

	ck_assert(runs.count <= RUNS_MAX);
	*run = sw_run_unknown;
	run->state = SW_RUN_COMPLETED;
	run->elapsed_seconds = 3600;
	run->start_seconds = 7200.0 * (double)runs.count;
	run->end_seconds = run->start_seconds + 3600;
	run->need_bytes = need;
	run->requested_bytes = requested;
	run->nodes = 1;
	return run;
}

static void add_killed(double had)
{
	struct sw_run *run = add_run(had, had);

	run->state = SW_RUN_OUT_OF_MEMORY;
	run->is_lower_bound = true;
}

static void advise(void)
{
	ck_assert_int_eq(sw_advisor_memory.advise(&runs, &query, &policy,
						  &suggestion), 0);
	ck_assert_int_eq(suggestion.resource, SW_RESOURCE_MEMORY);
	ck_assert_str_ne(suggestion.why, "");
	if (suggestion.is_withheld) {
		ck_assert_double_nan(suggestion.suggested);
		ck_assert_str_ne(suggestion.remedy, "");
	}
}

/* Needs that repeat every 7 runs, from 1 GiB to 1.06. */
static double need_of(size_t i)
{
	return GIB * (1 + 0.01 * (double)(i * 3 % 7));
}

/* Samples do not say how much of what was enough was needed. */
START_TEST(what_samples_leave_open_is_kept)
{
	static const struct {
		double open, requested, least, most;	/* GiB */
	} rows[] = {
		{ NAN, 16, 1, 4 },
		{ 16, 16, 16, 16 },
		{ 12, 16, 12, 16 },
		/* Nor is more asked for, for their sake. */
		{ 16, 8, 8, 8 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		setup();
		for (size_t j = 0; j < 30; j++)
			add_run(need_of(j), 16 * GIB)->open_bytes =
				j == 11 ? rows[i].open * GIB : NAN;
		query.requested_bytes = rows[i].requested * GIB;
		advise();
		ck_assert_msg(suggestion.suggested >= rows[i].least * GIB &&
				      suggestion.suggested <=
					      rows[i].most * GIB,
			      "row %zu: %g GiB", i,
			      suggestion.suggested / GIB);
	}
}
END_TEST

START_TEST(asks_for_less)
{
	for (size_t i = 0; i < 30; i++)
		add_run(need_of(i), 16 * GIB);
	policy.gib_hour_price = 2;
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert(!suggestion.is_lower_bound);
	ck_assert_double_eq(suggestion.current, 16 * GIB);
	ck_assert_double_ge(suggestion.suggested, 1.06 * GIB);
	ck_assert_double_le(suggestion.suggested, 1.6 * GIB);
	/* Whole MiB. */
	ck_assert_double_eq(fmod(suggestion.suggested, MIB), 0);
	ck_assert_double_eq_tol(suggestion.margin,
				suggestion.suggested / (1.06 * GIB), 1e-9);
	ck_assert_uint_eq(suggestion.runs, 30);
	ck_assert_uint_ge(suggestion.retry_count, 1);
	ck_assert_double_gt(suggestion.retries[0], suggestion.suggested);
	ck_assert(suggestion.risk > 0 && suggestion.risk < 0.05);
	/* The first 3 of 30 runs are only learned. */
	ck_assert_uint_eq(suggestion.backtest.of, 27);
	ck_assert_uint_eq(suggestion.backtest.fits, 27);
	/* At most 15 GiB for an hour of each; the price is twice that. */
	ck_assert_double_gt(suggestion.backtest.saved_gib_hours, 27 * 13);
	ck_assert_double_lt(suggestion.backtest.saved_gib_hours, 27 * 15);
	ck_assert_double_eq_tol(suggestion.backtest.saved_cost,
				2 * suggestion.backtest.saved_gib_hours, 1e-9);
}
END_TEST

START_TEST(fits_already)
{
	for (size_t i = 0; i < 30; i++)
		add_run(need_of(i), 1.15 * GIB);
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_eq(suggestion.suggested, suggestion.current);
}
END_TEST

/* Advice that was followed changes only if the change is worth it. */
START_TEST(keeps_what_was_taken)
{
	size_t i, stays = 0;

	for (i = 0; i < 3; i++)
		add_run(need_of(i), 16 * GIB);
	for (; i < 12; i++) {
		advise();
		ck_assert(!suggestion.is_withheld);
		stays += suggestion.suggested == suggestion.current;
		ck_assert(suggestion.suggested == suggestion.current ||
			  suggestion.suggested * (double)(i + 1) <=
			  suggestion.current * (double)i);
		add_run(need_of(i), suggestion.suggested);
	}
	ck_assert_uint_ge(stays, 4);
}
END_TEST

START_TEST(asked_for_now)
{
	struct sw_run asked = sw_run_unknown;

	for (size_t i = 0; i < 30; i++)
		add_run(need_of(i), 1.15 * GIB);
	asked.requested_bytes = 8 * GIB;
	query.asked = &asked;
	advise();
	ck_assert_double_eq(suggestion.current, 8 * GIB);
	ck_assert_double_lt(suggestion.suggested, 1.6 * GIB);
}
END_TEST

START_TEST(killed_once)
{
	add_killed(2 * GIB);
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert(suggestion.is_lower_bound);
	ck_assert_double_eq(suggestion.suggested, 4 * GIB);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "killed"));
	ck_assert_ptr_nonnull(strstr(suggestion.why, "2.0 GiB"));
	/* Nobody requested more than 2 GiB: more than this may never start. */
	ck_assert_uint_eq(suggestion.retry_count, 0);
	ck_assert_int_eq(suggestion.retry_limit, SW_RETRY_LIMIT_BEYOND);
	/* Other work did: its request is the limit of the retries. */
	policy.known_bytes = 12 * GIB;
	advise();
	ck_assert_uint_eq(suggestion.retry_count, 2);
	ck_assert_double_eq(suggestion.retries[0], 8 * GIB);
	ck_assert_double_eq(suggestion.retries[1], 12 * GIB);
	ck_assert_int_eq(suggestion.retry_limit, SW_RETRY_LIMIT_KNOWN);
	/* This amount is requested by now: it has not been tried. */
	policy.cap_bytes = 3 * GIB;
	advise();
	ck_assert_double_eq(suggestion.suggested, 3 * GIB);
	ck_assert_uint_eq(suggestion.retry_count, 0);
	ck_assert_int_eq(suggestion.retry_limit, SW_RETRY_LIMIT_NODE);
}
END_TEST

START_TEST(killed_among_larger)
{
	for (size_t i = 0; i < 20; i++)
		add_run(4 * need_of(i), 8 * GIB);
	add_killed(2 * GIB);
	advise();
	ck_assert(suggestion.is_lower_bound);
	ck_assert_double_ge(suggestion.suggested, 4 * 1.06 * GIB);
	ck_assert_double_le(suggestion.suggested, 6 * GIB);
}
END_TEST

START_TEST(too_few)
{
	add_run(GIB, 4 * GIB);
	add_run(GIB, 4 * GIB);
	advise();
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "needs 3 successful runs, has 2"));
	ck_assert_double_eq(suggestion.current, 4 * GIB);
	policy.min_runs = 1;
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_gt(suggestion.suggested, GIB);
	runs.count = 0;
	advise();
	ck_assert(suggestion.is_withheld);
}
END_TEST

START_TEST(only_failed)
{
	for (size_t i = 0; i < 10; i++)
		add_run(GIB, 4 * GIB)->state = SW_RUN_FAILED;
	advise();
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "needs 3 successful runs, has 0 of 10"));
}
END_TEST

/* From 100 MiB to 51 GiB, in no order. */
START_TEST(contradictory)
{
	for (size_t i = 0; i < 40; i++)
		add_run(100 * MIB * pow(2, (double)(i * 7 % 10)), 64 * GIB);
	advise();
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "still differ by a factor"));
	ck_assert_ptr_nonnull(strstr(suggestion.remedy, "input sizes"));
	/* Input sizes are known, and explain nothing. */
	for (size_t i = 0; i < 40; i++)
		items[i].input_bytes = GIB;
	query.input_bytes = GIB;
	advise();
	ck_assert(suggestion.is_withheld);
	ck_assert_str_eq(suggestion.remedy,
			 "job names that tell kinds of work apart");
	/* The inputs explain it. */
	for (size_t i = 0; i < 40; i++)
		items[i].input_bytes = items[i].need_bytes / 2;
	query.input_bytes = GIB;
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_ge(suggestion.suggested, 2 * GIB);
	ck_assert_double_le(suggestion.suggested, 3 * GIB);
	ck_assert(suggestion.margin < 1);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "below the largest"));
}
END_TEST

START_TEST(growing)
{
	for (size_t i = 0; i < 30; i++)
		add_run(GIB * pow(1.1, (double)i + (double)(i % 3)),
			64 * GIB);
	advise();
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "drift"));
	ck_assert_ptr_nonnull(strstr(suggestion.remedy, "input sizes"));
	policy.uses_input = false;
	advise();
	ck_assert_ptr_null(strstr(suggestion.remedy, "input"));
}
END_TEST

/* Jobs of an array, the smallest input first. */
static void add_by_input(size_t count, double input_step)
{
	for (size_t i = 0; i < count; i++)
		add_run((0.5 + (double)i) * GIB, 100 * GIB)->input_bytes =
			(double)(i * 7 % count + 1) * GIB;
	for (size_t i = 0; input_step > 0 && i < count; i++)
		items[i].input_bytes = input_step * (double)(i + 1);
}

START_TEST(growing_input)
{
	double small;

	add_by_input(12, 2 * GIB);
	query.input_bytes = 6 * GIB;
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_ge(suggestion.suggested, 2.5 * GIB);
	small = suggestion.suggested;
	query.input_bytes = 24 * GIB;
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_ge(suggestion.suggested, 11.5 * GIB);
	ck_assert_double_ge(suggestion.suggested, 2 * small);
}
END_TEST

/* Growth with the input is reported only if there is some. */
START_TEST(growth_is_true)
{
	for (size_t i = 0; i < 60; i++)
		add_run((i * 7 % 30) / 10 == 1 ? 6 * GIB : GIB, 16 * GIB)
			->input_bytes = (double)(i * 7 % 30 + 1) * MIB;
	query.input_bytes = 5 * MIB;
	policy.risk = SW_RISK_HIGH;
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "hardly depends on it"));
	for (size_t i = 0; i < 60; i++)
		items[i].need_bytes = GIB + 200 * items[i].input_bytes;
	advise();
	ck_assert_ptr_nonnull(strstr(suggestion.why, "grows with the input"));
}
END_TEST

/* As many as the advisor accepts; the newest are tested for drift. */
START_TEST(growing_input_of_many)
{
	for (size_t i = 0; i < RUNS_MAX; i++)
		add_run((500 + 10 * (double)i + (double)(i * 7 % 5)) * MIB,
			100 * GIB)->input_bytes = (double)(i + 1) * 20 * MIB;
	query.input_bytes = 2000 * MIB;
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_ge(suggestion.suggested, 1500 * MIB);
	ck_assert_double_le(suggestion.suggested, 3000 * MIB);
}
END_TEST

/* Inputs, and growth that is unrelated to them. */
START_TEST(growing_whatever_the_input)
{
	add_by_input(12, 0);
	query.input_bytes = 6 * GIB;
	advise();
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "drift"));
	ck_assert_str_eq(suggestion.remedy,
			 "a few more runs like the next one");
}
END_TEST

START_TEST(grown)
{
	for (size_t i = 0; i < 30; i++)
		add_run(need_of(i), 64 * GIB);
	for (size_t i = 0; i < 30; i++)
		add_run(4 * need_of(i), 64 * GIB);
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert_uint_eq(suggestion.runs, 30);
	ck_assert_double_ge(suggestion.suggested, 4 * 1.06 * GIB);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "older runs"));
}
END_TEST

START_TEST(never_below_what_was_needed)
{
	for (size_t i = 0; i < 200; i++)
		add_run(i == 10 ? 3 * GIB : need_of(i), 16 * GIB);
	policy.risk = SW_RISK_LOW;
	advise();
	ck_assert(!suggestion.is_withheld);
	if (suggestion.suggested < 3 * GIB) {
		ck_assert(suggestion.margin < 1);
		ck_assert_ptr_nonnull(strstr(suggestion.why, "below"));
	}
	policy.risk = SW_RISK_HIGH;
	advise();
	ck_assert_double_lt(suggestion.suggested, 3 * GIB);
	ck_assert(suggestion.margin < 1);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "below the largest"));
}
END_TEST

/* More than a node has, or than anybody requested, may never start. */
START_TEST(retries_end)
{
	for (size_t i = 0; i < 30; i++)
		add_run(need_of(i), 2 * GIB);
	advise();
	ck_assert_uint_ge(suggestion.retry_count, 1);
	ck_assert_double_eq(suggestion.retries[suggestion.retry_count - 1],
			    2 * GIB);
	ck_assert_int_eq(suggestion.retry_limit, SW_RETRY_LIMIT_KNOWN);
	policy.cap_bytes = 3 * GIB;
	advise();
	ck_assert_double_eq(suggestion.retries[suggestion.retry_count - 1],
			    3 * GIB);
}
END_TEST

/* An input of 20 times the largest: the advice is marked as a guess. */
START_TEST(extrapolates)
{
	add_by_input(12, 2 * GIB);
	query.input_bytes = 24 * GIB;
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert_ptr_null(strstr(suggestion.why, "extrapolation"));
	query.input_bytes = 240 * GIB;
	advise();
	ck_assert(!suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "10.0 times the largest "
				     "seen: an extrapolation that no run "
				     "confirms"));
}
END_TEST

START_TEST(tiny_chances)
{
	struct sw_units_text text = sw_text_percent(1e-6);

	ck_assert_str_eq(text.s, "below 0.1 %");
	text = sw_text_percent(0.0011);
	ck_assert_str_eq(text.s, "0.1 %");
	text = sw_text_percent(0);
	ck_assert_str_eq(text.s, "0 %");
	text = sw_text_chance(1e-6);
	ck_assert_str_eq(text.s, "below 0.1 %");
	text = sw_text_chance(0.041);
	ck_assert_str_eq(text.s, "of 4.1 %");
}
END_TEST

/* Draw a need of a group; the number of the test selects its kind. */
static double draw_need(int kind, double input)
{
	double u = draw_uniform();

	switch (kind % 4) {
	case 0:
		return GIB * (1 + u);
	case 1:
		return 100 * MIB + 3 * input * (0.9 + 0.2 * u);
	case 2:
		return u < 0.7 ? 300 * MIB : 2 * GIB * (1 + draw_uniform());
	default:
		return GIB * pow(1 - u, -0.5);	/* Pareto */
	}
}

/*
 * Property: one more run that needed more than all before never lowers the
 * suggestion, whatever was requested; the next input is unknown.  It may be a
 * reason to suggest nothing.
 */
START_TEST(larger_need_never_lowers)
{
	double requested = (_i % 5 ? 200 : 2) * GIB, largest = 0, before;
	size_t count;

	draw_seed = (uint64_t)_i;
	count = 3 + (size_t)(draw_uniform() * 120);
	policy.risk = (enum sw_risk)(_i % 3);
	query.requested_bytes = requested;
	for (size_t i = 0; i < count; i++) {
		double input = GIB * draw_uniform();
		double need = draw_need(_i / 3, input);

		add_run(need, requested)->input_bytes = input;
		largest = fmax(largest, need);
	}
	for (size_t i = 0; i < 6; i++) {
		advise();
		before = suggestion.suggested;
		largest *= 1 + 0.5 * draw_uniform();
		add_run(largest, requested)->input_bytes = GIB * draw_uniform();
		advise();
		if (!suggestion.is_withheld && !isnan(before))
			ck_assert_double_ge(suggestion.suggested, before);
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("memory");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, what_samples_leave_open_is_kept);
	tcase_add_test(tests, asks_for_less);
	tcase_add_test(tests, fits_already);
	tcase_add_test(tests, keeps_what_was_taken);
	tcase_add_test(tests, asked_for_now);
	tcase_add_test(tests, killed_once);
	tcase_add_test(tests, killed_among_larger);
	tcase_add_test(tests, too_few);
	tcase_add_test(tests, only_failed);
	tcase_add_test(tests, contradictory);
	tcase_add_test(tests, growing);
	tcase_add_test(tests, growing_input);
	tcase_add_test(tests, growth_is_true);
	tcase_add_test(tests, growing_input_of_many);
	tcase_add_test(tests, growing_whatever_the_input);
	tcase_add_test(tests, grown);
	tcase_add_test(tests, retries_end);
	tcase_add_test(tests, extrapolates);
	tcase_add_test(tests, tiny_chances);
	tcase_add_test(tests, never_below_what_was_needed);
	tcase_add_loop_test(tests, larger_need_never_lowers, 0, 240);
	return run_tests("advice on memory", tests, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties of advice on memory that hold for every past: random histories,
 * with the number of the test as seed, which is printed on failure.
 */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "advice/advisors.h"
#include "test/run_tests.h"
#include "test/unit/advice/draw_kit.h"

#define MIB (1024.0 * 1024)
#define GIB (1024 * MIB)

enum { RUNS_MAX = 100, HISTORIES = 400 };

static struct sw_run items[RUNS_MAX];
static struct sw_runs runs = { items, 0 };
static struct sw_suggestion suggestion;
static struct sw_query query;
static struct sw_policy policy;
/* Largest need of the history, and largest memory of a killed run. */
static double largest_need, largest_killed;
static int seed;

#define HOLDS(expression) \
	ck_assert_msg(expression, "seed %d, %zu runs: %s (%.0f MiB of %.0f)", \
		      seed, runs.count, #expression, \
		      suggestion.suggested / MIB, suggestion.current / MIB)

static struct sw_run *add_run(double need, double requested, double input)
{
	struct sw_run *run = &items[runs.count++];

	*run = sw_run_unknown;
	run->state = SW_RUN_COMPLETED;
	run->elapsed_seconds = 600 + 3000 * draw_uniform();
	run->start_seconds = 7200.0 * (double)runs.count;
	run->end_seconds = run->start_seconds + run->elapsed_seconds;
	run->need_bytes = need;
	run->requested_bytes = requested;
	run->input_bytes = input;
	run->nodes = 1;
	largest_need = fmax(largest_need, need);
	return run;
}

static void add_killed(double had, double input)
{
	struct sw_run *run;
	double need = largest_need;

	run = add_run(had, had, input);
	run->state = SW_RUN_OUT_OF_MEMORY;
	run->is_lower_bound = true;
	largest_need = need;
	largest_killed = fmax(largest_killed, had);
}

/* Similar, scattered, with the input, of two kinds, or with a long tail. */
static double draw_need(int kind, double input)
{
	double u = draw_uniform();

	switch (kind % 5) {
	case 0:
		return 3 * GIB;
	case 1:
		return GIB * (1 + u);
	case 2:
		return 100 * MIB + 2 * input * (0.9 + 0.2 * u);
	case 3:
		return u < 0.7 ? 300 * MIB : GIB * (1 + draw_uniform());
	default:
		return GIB * fmin(pow(1 - u, -0.5), 6);
	}
}

/* kills: number in a hundred runs, some with other requests. */
static void draw(double requested, double kills)
{
	size_t count = 3 + (size_t)(draw_uniform() * 60);
	int kind = seed / 6;

	for (size_t i = 0; i < count; i++) {
		double input = GIB * draw_uniform();
		double known = seed % 2 ? input : NAN;
		double had = requested * (draw_uniform() < 0.2 ? 0.5 : 1);

		if (100 * draw_uniform() < kills)
			add_killed(had, known);
		else
			add_run(fmin(draw_need(kind, input), requested),
				requested, known);
	}
	query.input_bytes = seed % 2 ? GIB * draw_uniform() : NAN;
}

static void advise(void)
{
	query.requested_bytes = items[runs.count - 1].requested_bytes;
	ck_assert_int_eq(sw_advisor_memory.advise(&runs, &query, &policy,
						  &suggestion), 0);
	ck_assert_str_ne(suggestion.why, "");
}

static void begin(int number)
{
	seed = number;
	draw_seed = (uint64_t)number;
	runs.count = 0;
	largest_need = largest_killed = 0;
	policy = sw_policy_default;
	policy.risk = (enum sw_risk)(number % 3);
	query = (struct sw_query){
		.input_bytes = NAN, .requested_bytes = NAN,
		.start_seconds = NAN,
	};
}

/* A node's known memory limits advice and retries. */
START_TEST(never_above_a_node)
{
	begin(_i);
	policy.cap_bytes = 20 * GIB;
	draw(16 * GIB, _i % 4 * 5);
	if (_i % 3)
		add_killed(16 * GIB, NAN);
	advise();
	HOLDS(suggestion.is_withheld || suggestion.suggested <= 20 * GIB);
	for (size_t i = 0; i < suggestion.retry_count; i++)
		HOLDS(suggestion.retries[i] <= 20 * GIB);
}
END_TEST

/* After one kill, or several with other requests, the last run among them. */
START_TEST(steps_up_from_what_was_had)
{
	begin(_i);
	draw(16 * GIB, _i % 4 * 5);
	if (_i % 2)
		add_killed(32 * GIB, NAN);
	add_killed(16 * GIB, NAN);
	advise();
	ck_assert(!suggestion.is_withheld);
	HOLDS(suggestion.suggested > 16 * GIB);
	HOLDS(suggestion.suggested <= 2 * largest_killed);
	for (size_t i = 0; i < suggestion.retry_count; i++)
		HOLDS(suggestion.retries[i] <= 2 * (i ?
			suggestion.retries[i - 1] : suggestion.suggested));
}
END_TEST

/* Samples that show a sixteenth of the need do not count, however many. */
START_TEST(step_up_is_not_of_samples)
{
	begin(_i);
	policy.risk = SW_RISK_LOW;
	for (int i = 0; i < 3 + _i % 20; i++)
		add_run(GIB * (1 + 0.1 * draw_uniform()), 16 * GIB, NAN);
	add_killed(16 * GIB, NAN);
	advise();
	HOLDS(suggestion.suggested == 32 * GIB);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "escape the measurement"));
	ck_assert_uint_eq(suggestion.backtest.of, 0);
	/* A run that succeeds with more is the answer, samples are not. */
	for (int i = 0; i < 5; i++) {
		add_run(GIB, 24 * GIB, NAN);
		advise();
		HOLDS(suggestion.suggested == 24 * GIB);
	}
}
END_TEST

START_TEST(what_was_enough_is_not_raised)
{
	double requested;

	begin(_i);
	requested = (_i % 4 ? 20 : 7) * GIB;
	draw(requested, 0);
	advise();
	if (suggestion.is_withheld)
		return;
	if (largest_need <= 0.9 * requested)
		HOLDS(suggestion.suggested <= requested);
	HOLDS(suggestion.suggested <= fmax(requested, 1.3 * largest_need +
					   MIB));
}
END_TEST

/* Also if everything is below the floor. */
START_TEST(floor_raises_nothing)
{
	begin(_i);
	for (int i = 0; i < 3 + _i % 20; i++)
		add_run((2 + 40 * draw_uniform()) * MIB, 50 * MIB, NAN);
	advise();
	HOLDS(suggestion.is_withheld || suggestion.suggested <= 50 * MIB);
}
END_TEST

/* Below it only if it is rare, and then this is stated. */
START_TEST(never_below_what_was_needed)
{
	begin(_i);
	draw(16 * GIB, 0);
	query.input_bytes = NAN;
	advise();
	if (suggestion.is_withheld || suggestion.runs < runs.count)
		return;
	if (suggestion.suggested >= largest_need)
		return;
	HOLDS(policy.risk != SW_RISK_LOW || runs.count > 50);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "below the largest"));
}
END_TEST

/* Another run like the last, for which the advice would have been enough. */
START_TEST(success_never_raises)
{
	double before;

	begin(_i);
	draw(16 * GIB, _i % 4 * 5);
	add_run(draw_need(_i / 6, GIB / 2), 16 * GIB,
		_i % 2 ? GIB / 2 : NAN);
	for (int i = 0; i < 4; i++) {
		advise();
		before = suggestion.suggested;
		items[runs.count] = items[runs.count - 1];
		items[runs.count].start_seconds += 7200;
		items[runs.count].end_seconds += 7200;
		if (!(items[runs.count++].need_bytes <= before))
			return;
		advise();
		if (!suggestion.is_withheld && suggestion.runs == runs.count)
			HOLDS(suggestion.suggested <= before);
	}
}
END_TEST

START_TEST(kill_never_lowers)
{
	double before;

	begin(_i);
	draw(16 * GIB, _i % 4 * 5);
	for (int i = 0; i < 3; i++) {
		advise();
		before = suggestion.suggested;
		add_killed(16 * GIB, NAN);
		advise();
		if (!suggestion.is_withheld && !isnan(before))
			HOLDS(suggestion.suggested >= fmin(before,
					2 * largest_killed));
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("memory");

	tcase_add_loop_test(tests, never_above_a_node, 0, HISTORIES);
	tcase_add_loop_test(tests, steps_up_from_what_was_had, 0, HISTORIES);
	tcase_add_loop_test(tests, step_up_is_not_of_samples, 0, 60);
	tcase_add_loop_test(tests, what_was_enough_is_not_raised, 0,
			    HISTORIES);
	tcase_add_loop_test(tests, floor_raises_nothing, 0, 60);
	tcase_add_loop_test(tests, never_below_what_was_needed, 0, HISTORIES);
	tcase_add_loop_test(tests, success_never_raises, 0, HISTORIES);
	tcase_add_loop_test(tests, kill_never_lowers, 0, HISTORIES);
	return run_tests("properties of advice", tests, NULL);
}

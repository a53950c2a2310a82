/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Information in past requests: only those of first attempts are learned, since
 * a request that grew after a failure reveals the need.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "advice/attempts.h"
#include "advice/memory_group.h"
#include "test/run_tests.h"
#include "test/unit/advice/draw_kit.h"

#define MIB (1024.0 * 1024)
#define GIB (1024 * MIB)

enum { MANY = 40 };

static struct sw_policy policy;
static struct sw_memory_site site;
static struct sw_memory_group group;
static struct sw_run runs[MANY];
static size_t run_count;

static void setup(void)
{
	policy = sw_policy_default;
	site = (struct sw_memory_site){
		.policy = &policy,
		.settings = &sw_memory_settings[SW_RISK_LOW],
	};
	memset(&group, 0, sizeof(group));
	run_count = 0;
	draw_seed = 1;
}

static void teardown(void)
{
	sw_memory_group_fini(&group);
}

/* A run each minute that takes half of it. */
static struct sw_run *add(double need, double request)
{
	struct sw_run *run = &runs[run_count];

	*run = sw_run_unknown;
	run->state = SW_RUN_COMPLETED;
	run->start_seconds = 60 * (double)run_count++;
	run->elapsed_seconds = 30;
	run->end_seconds = run->start_seconds + 30;
	run->need_bytes = need;
	run->requested_bytes = request;
	return run;
}

static struct sw_run *add_killed(double request)
{
	struct sw_run *run = add(request, request);

	run->state = SW_RUN_OUT_OF_MEMORY;
	run->is_lower_bound = true;
	return run;
}

static void learn_all(void)
{
	size_t i;

	for (i = 0; i < run_count; i++)
		ck_assert_int_eq(sw_memory_group_learn(&group, &site, &runs[i]),
				 0);
}

/* Errors of the expert that uses a share of the request. */
static size_t count_taught(void)
{
	return group.orders[2 * SW_MEMORY_REQUEST].count;
}

START_TEST(retries_do_not_teach)
{
	size_t i;

	for (i = 0; i < 10; i++) {
		add(GIB, 4 * GIB);
		add(6 * GIB, 8 * GIB)->attempt = 2;
	}
	learn_all();
	/* The first run had no prediction. */
	ck_assert_uint_eq(count_taught(), 9);
}
END_TEST

/* As in a replay, where each is queried before it is learned. */
START_TEST(retries_that_were_asked_about_do_not_teach)
{
	size_t i;

	add(GIB, 4 * GIB);
	for (i = 0; i < 10; i++) {
		struct sw_run *run = add(6 * GIB, 8 * GIB);

		run->attempt = 2;
		run->first_requested_bytes = 4 * GIB;
	}
	for (i = 0; i < run_count; i++) {
		const struct sw_query query = {
			.input_bytes = NAN,
			.requested_bytes = sw_run_first_request(&runs[i]),
			.start_seconds = runs[i].start_seconds,
		};

		sw_memory_group_ask(&group, &site, &query);
		ck_assert_int_eq(sw_memory_group_learn(&group, &site, &runs[i]),
				 0);
	}
	ck_assert_uint_eq(count_taught(), 0);
}
END_TEST

/* A kill is answered once, by a run that started after it with more. */
START_TEST(asked_again_with_more)
{
	add_killed(2 * GIB);
	add_killed(2 * GIB);
	add(GIB, 2 * GIB);
	add(3 * GIB, 4 * GIB);
	add_killed(4 * GIB);
	add(5 * GIB, 8 * GIB);
	add(5 * GIB, 8 * GIB);
	/* It was running when the first was killed. */
	runs[3].start_seconds = 0;
	sw_attempts_find(runs, run_count);
	ck_assert(!sw_run_is_retry(&runs[0]));
	ck_assert(!sw_run_is_retry(&runs[2]));
	ck_assert(!sw_run_is_retry(&runs[3]));
	/* The answer to the first kill, which was killed itself. */
	ck_assert_double_eq(runs[4].first_requested_bytes, 2 * GIB);
	ck_assert_double_eq(runs[5].first_requested_bytes, 2 * GIB);
	ck_assert_double_eq(runs[6].first_requested_bytes, 2 * GIB);
}
END_TEST

/* From then on it is the user's initial request. */
START_TEST(a_request_that_stays)
{
	size_t i;

	add_killed(2 * GIB);
	for (i = 0; i < 5; i++)
		add(3 * GIB, 4 * GIB);
	sw_attempts_find(runs, run_count);
	ck_assert(sw_run_is_retry(&runs[1]));
	for (i = 2; i < run_count; i++)
		ck_assert(!sw_run_is_retry(&runs[i]));
}
END_TEST

/* More kills than are remembered, and unknown times, are harmless. */
START_TEST(many_kills)
{
	static struct sw_run many[2000];
	size_t i;

	for (i = 0; i < 2000; i++) {
		many[i] = sw_run_unknown;
		many[i].state = SW_RUN_OUT_OF_MEMORY;
		many[i].is_lower_bound = true;
		many[i].need_bytes = many[i].requested_bytes =
			GIB * (1 + draw_uniform());
		if (draw_uniform() < 0.8) {
			many[i].start_seconds = (double)i;
			many[i].end_seconds = (double)i + 10 * draw_uniform();
		}
	}
	sw_attempts_find(many, 2000);
	for (i = 0; i < 2000; i++) {
		if (sw_run_is_retry(&many[i]))
			ck_assert_double_lt(many[i].first_requested_bytes,
					    many[i].requested_bytes);
	}
}
END_TEST

static double ask_with(double request, double input)
{
	const struct sw_query query = {
		.input_bytes = input, .requested_bytes = request,
		.start_seconds = NAN,
	};

	return sw_memory_group_ask(&group, &site, &query);
}

/*
 * Property: whatever the needs and inputs, the advice does not exceed a request
 * that was always enough, and that no need came close to.
 */
START_TEST(never_above_what_was_enough)
{
	double request = 4 * GIB;
	size_t i;

	draw_seed = (uint64_t)_i;
	site.settings = &sw_memory_settings[_i % 3];
	for (i = 0; i < MANY; i++) {
		struct sw_run *run = add(0.9 * request * draw_uniform(),
					 request * (1 + draw_uniform()));

		if (i == 0)
			run->requested_bytes = request;
		if (_i & 1)
			run->input_bytes = GIB * draw_uniform();
		ck_assert_int_eq(sw_memory_group_learn(&group, &site, run), 0);
		ck_assert_double_le(ask_with(request, NAN), request);
		ck_assert_double_le(ask_with(request, 0), request);
		ck_assert_double_le(ask_with(1.5 * request, MIB),
				    1.5 * request);
	}
}
END_TEST

/* A need close to it, or a kill, allow for more. */
START_TEST(what_came_close_may_need_more)
{
	add(GIB, 4 * GIB);
	add(3.7 * GIB, 4 * GIB);
	learn_all();
	ck_assert_double_gt(ask_with(4 * GIB, NAN), 4 * GIB);
	teardown();
	setup();
	add(GIB, 4 * GIB);
	add_killed(4 * GIB);
	learn_all();
	ck_assert_double_gt(ask_with(4 * GIB, NAN), 4 * GIB);
}
END_TEST

/* No run has ended with 1.1 GiB: only the needs decide. */
START_TEST(what_was_not_tried_is_no_limit)
{
	add(GIB, 4 * GIB);
	learn_all();
	ck_assert_double_gt(ask_with(1.15 * GIB, NAN), 1.15 * GIB);
}
END_TEST

/* After one run, known inputs hardly need more, larger ones do. */
START_TEST(risk_by_input)
{
	struct sw_memory_reason seen, beyond, far;
	struct sw_query query = {
		.input_bytes = GIB, .requested_bytes = NAN,
		.start_seconds = NAN,
	};

	add(2 * GIB, NAN)->input_bytes = GIB;
	learn_all();
	sw_memory_group_explain(&group, &site, &query, 3 * GIB, &seen);
	query.input_bytes = 2 * GIB;
	sw_memory_group_explain(&group, &site, &query, 3 * GIB, &beyond);
	query.input_bytes = 20 * GIB;
	sw_memory_group_explain(&group, &site, &query, 3 * GIB, &far);
	ck_assert_double_lt(3 * seen.risk, beyond.risk);
	ck_assert_double_lt(3 * beyond.risk, far.risk);
	ck_assert_double_lt(far.risk, 1);
}
END_TEST

/* Queries of all kinds, determined by the number. */
static struct sw_query query_of(int number)
{
	static const double inputs[] = { NAN, 0, 1e6, 1e9, 3e11 };
	static const double requests[] = { NAN, 1e9, 5e9, 1e12 };

	return (struct sw_query){
		.input_bytes = inputs[number % 5],
		.requested_bytes = requests[number / 5 % 4],
		.start_seconds = NAN,
	};
}

enum { QUERIES = 20 };

/*
 * Property: earlier queries, whatever they were, change no answer; and a finite
 * past gives finite answers.
 */
START_TEST(asking_changes_nothing)
{
	struct sw_memory_group other = { 0 };
	struct sw_memory_site its = site;
	double alone[QUERIES];
	int count = 1 + _i % 7 * 5, i;

	draw_seed = (uint64_t)_i;
	its.settings = site.settings = &sw_memory_settings[_i % 3];
	for (i = 0; i < count; i++) {
		struct sw_run *run = add(4e9 * draw_uniform(),
					 5e9 * (1 + draw_uniform()));
		const struct sw_query query = query_of(i);

		if (_i & 1)
			run->input_bytes = 1e9 * draw_uniform();
		/* Also with the empty group. */
		if (i == 0)
			sw_memory_group_ask(&other, &its, &query);
		ck_assert_int_eq(sw_memory_group_learn(&group, &site, run), 0);
		ck_assert_int_eq(sw_memory_group_learn(&other, &its, run), 0);
	}
	for (i = 0; i < QUERIES; i++) {
		const struct sw_query query = query_of(i * 7 % QUERIES);

		sw_memory_group_ask(&other, &its, &query);
	}
	for (i = 0; i < QUERIES; i++) {
		const struct sw_query query = query_of(i);
		struct sw_memory_reason reason;

		alone[i] = sw_memory_group_ask(&group, &site, &query);
		ck_assert(isfinite(alone[i]));
		ck_assert_double_eq(sw_memory_group_ask(&other, &its, &query),
				    alone[i]);
		sw_memory_group_explain(&other, &its, &query, alone[i],
					&reason);
		ck_assert(reason.risk >= 0 && reason.risk <= 1);
		ck_assert(isfinite(sw_memory_group_again(&other, &its, &query,
							 alone[i], 2)));
	}
	sw_memory_group_fini(&other);
}
END_TEST

/* Runs that begin before anything is known are learned all the same. */
START_TEST(asked_before_anything_was_known)
{
	size_t i;

	for (i = 0; i < MANY; i++) {
		struct sw_run *run = add(8 * GIB, 16 * GIB);
		const struct sw_query query = {
			.input_bytes = NAN, .requested_bytes = 16 * GIB,
			.start_seconds = run->start_seconds,
		};

		ck_assert_double_nan(sw_memory_group_ask(&group, &site,
							 &query));
	}
	learn_all();
	ck_assert_double_ge(ask_with(16 * GIB, NAN), 8 * GIB);
	ck_assert_double_ge(ask_with(NAN, NAN), 8 * GIB);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("requests");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, retries_do_not_teach);
	tcase_add_test(tests, retries_that_were_asked_about_do_not_teach);
	tcase_add_test(tests, asked_again_with_more);
	tcase_add_test(tests, a_request_that_stays);
	tcase_add_test(tests, many_kills);
	tcase_add_loop_test(tests, never_above_what_was_enough, 0, 30);
	tcase_add_test(tests, what_came_close_may_need_more);
	tcase_add_test(tests, what_was_not_tried_is_no_limit);
	tcase_add_test(tests, risk_by_input);
	tcase_add_loop_test(tests, asking_changes_nothing, 0, 60);
	tcase_add_test(tests, asked_before_anything_was_known);
	return run_tests("requests", tests, NULL);
}

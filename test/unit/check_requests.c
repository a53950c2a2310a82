/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What requests of the past may tell: only those of first attempts teach, as
 * one that grew after a failure tells the need.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/attempts.h"
#include "advice/memory_group.h"
#include "test/unit/draw_kit.h"

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

/* One a minute, that takes half of it. */
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

/* Errors that the share of the request was judged by. */
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
	/* Of the first run nothing could be foretold. */
	ck_assert_uint_eq(count_taught(), 9);
}
END_TEST

/* As in a replay, where each is asked about before it is learned. */
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

/* A kill is answered once, by what started after it with more. */
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
	/* The answer to the first kill, and killed itself. */
	ck_assert_double_eq(runs[4].first_requested_bytes, 2 * GIB);
	ck_assert_double_eq(runs[5].first_requested_bytes, 2 * GIB);
	ck_assert_double_eq(runs[6].first_requested_bytes, 2 * GIB);
}
END_TEST

/* From then on the request is what the user asks for at first. */
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

/* More kills than are remembered, and times that are not known: no harm. */
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

int main(void)
{
	TCase *tests = tcase_create("requests");
	Suite *suite = suite_create("requests");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, retries_do_not_teach);
	tcase_add_test(tests, retries_that_were_asked_about_do_not_teach);
	tcase_add_test(tests, asked_again_with_more);
	tcase_add_test(tests, a_request_that_stays);
	tcase_add_test(tests, many_kills);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

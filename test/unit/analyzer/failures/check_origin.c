/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Planted histories: the answer is right or that it cannot be told. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/failures/origin_words.h"
#include "test/run_tests.h"
#include "test/unit/analyzer/failures/origin_plants.h"

/* Seeds other than the default ones: STEPWELL_ORIGIN_SEED=N. */
static uint64_t first_seed(void)
{
	const char *text = getenv("STEPWELL_ORIGIN_SEED");

	return text ? strtoull(text, NULL, 10) : 1;
}

static unsigned long seeds(void)
{
	const char *text = getenv("STEPWELL_ORIGIN_SEEDS");

	return text ? strtoul(text, NULL, 10) : 20;
}

static const char *const answers[] = {
	[SW_ORIGIN_UNTOLD] = "cannot be told", [SW_ORIGIN_INPUT] = "its input",
	[SW_ORIGIN_PLACE] = "its node",	       [SW_ORIGIN_PROGRAM] = "program",
	[SW_ORIGIN_MEMORY] = "memory",	       [SW_ORIGIN_TIME] = "time",
};

struct tally {
	unsigned right, untold, wrong;
};

static void try(struct tally *tally, const struct plant *plant, uint64_t seed,
		bool is_printed)
{
	static struct planted planted;
	struct sw_origin origin;
	uint64_t draw = seed;

	while (!plant_draw(&planted, plant, draw))
		draw += 1000000;
	ck_assert_int_eq(sw_origin_find(&origin, planted.attempts,
					planted.count, planted.own),
			 0);
	if (origin.answer == plant->truth)
		tally->right++;
	else if (origin.answer == SW_ORIGIN_UNTOLD)
		tally->untold++;
	else
		tally->wrong++;
	if (is_printed || (origin.answer != plant->truth &&
			   origin.answer != SW_ORIGIN_UNTOLD))
		printf("%-30s %-15s why %d; seed %llu, %zu runs; p %.2g\n",
		       plant->name, answers[origin.answer], (int)origin.why,
		       (unsigned long long)seed, planted.count, origin.chance);
}

START_TEST(says_what_was_planted_or_that_it_cannot_be_told)
{
	struct tally all = { 0 };
	uint64_t first = first_seed(), seed;
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("first seed %llu\n", (unsigned long long)first);
	for (i = 0; i < plant_count; i++) {
		struct tally one = { 0 };

		for (seed = first; seed < first + seeds(); seed++)
			try(&one, &plants[i], seed * 1000 + i, seed == first);
		printf("%-30s right %u, cannot be told %u, wrong %u\n",
		       plants[i].name, one.right, one.untold, one.wrong);
		all.right += one.right;
		all.untold += one.untold;
		all.wrong += one.wrong;
	}
	printf("all: right %u, cannot be told %u, wrong %u\n", all.right,
	       all.untold, all.wrong);
	ck_assert_uint_eq(all.wrong, 0);
	ck_assert_uint_ge(all.right, 2 * all.untold);
}
END_TEST

/* 46 samples that succeeded, and one that failed twice, on two nodes. */
static size_t put_example(struct sw_origin_attempt *attempts)
{
	static char text[48][8];
	size_t i;

	for (i = 0; i < 48; i++) {
		snprintf(text[i], sizeof(text[i]), "S%zu", i < 47 ? i : 46);
		attempts[i] = (struct sw_origin_attempt){
			.thing = text[i],
			.place = { i % 2 ? "n1" : "n2", "", "" },
			.start_seconds = i < 47 ? 1000 : 5000,
			.end_seconds = i < 47 ? 1100 : 5100,
			.state = i < 46 ? SW_RUN_COMPLETED : SW_RUN_FAILED,
			.exit_code = i < 46 ? 0 : 1,
			.requested_bytes = NAN,
			.requested_seconds = NAN,
			.count = 1,
		};
	}
	return 48;
}

START_TEST(counts_are_the_evidence)
{
	struct sw_origin_attempt attempts[48];
	struct sw_origin origin;
	size_t count = put_example(attempts);

	ck_assert_int_eq(sw_origin_find(&origin, attempts, count, count - 1),
			 0);
	ck_assert_int_eq(origin.answer, SW_ORIGIN_INPUT);
	ck_assert_int_eq(origin.again, SW_ORIGIN_AGAIN_NOT);
	ck_assert_uint_eq(origin.attempts.failed, 2);
	ck_assert_uint_eq(origin.attempts.of, 2);
	ck_assert_uint_eq(origin.attempt_nodes, 2);
	ck_assert_uint_eq(origin.others.failed, 0);
	ck_assert_uint_eq(origin.others.of, 46);
	ck_assert_double_eq_tol(origin.chance, 1.0 / 47, 1e-9);
}
END_TEST

START_TEST(another_end_is_another_failure)
{
	struct sw_origin_attempt attempts[48];
	struct sw_origin origin;
	size_t count = put_example(attempts);

	attempts[46].exit_code = 2;
	ck_assert_int_eq(sw_origin_find(&origin, attempts, count, count - 1),
			 0);
	ck_assert_int_eq(origin.answer, SW_ORIGIN_UNTOLD);
	ck_assert_int_eq(origin.why, SW_ORIGIN_ONE_TRY);
	ck_assert_int_eq(origin.again, SW_ORIGIN_AGAIN_ONCE);
}
END_TEST

START_TEST(a_group_that_fails_in_other_ways_is_no_contrast)
{
	struct sw_origin_attempt attempts[48];
	struct sw_origin origin;
	size_t i, count = put_example(attempts);

	for (i = 0; i < 3; i++) {
		attempts[i].state = SW_RUN_FAILED;
		attempts[i].exit_code = 2;
	}
	ck_assert_int_eq(sw_origin_find(&origin, attempts, count, count - 1),
			 0);
	ck_assert_int_eq(origin.answer, SW_ORIGIN_UNTOLD);
	ck_assert_int_eq(origin.why, SW_ORIGIN_CHANCE);
}
END_TEST

START_TEST(others_before_it_are_no_contrast)
{
	struct sw_origin_attempt attempts[48];
	struct sw_origin origin;
	size_t i, count = put_example(attempts);

	/* The program may have changed between them and it. */
	for (i = 0; i < 46; i++)
		attempts[i].start_seconds = 900;
	ck_assert_int_eq(sw_origin_find(&origin, attempts, count, count - 1),
			 0);
	ck_assert_int_eq(origin.answer, SW_ORIGIN_UNTOLD);
	ck_assert_int_eq(origin.why, SW_ORIGIN_CHANCE);
}
END_TEST

START_TEST(what_succeeded_again_has_no_bad_input)
{
	struct sw_origin_attempt attempts[48];
	struct sw_origin origin;
	size_t count = put_example(attempts);

	attempts[47].state = SW_RUN_COMPLETED;
	ck_assert_int_eq(sw_origin_find(&origin, attempts, count, 46), 0);
	ck_assert_int_eq(origin.answer, SW_ORIGIN_UNTOLD);
	ck_assert_int_eq(origin.why, SW_ORIGIN_PASSED);
	ck_assert_int_eq(origin.again, SW_ORIGIN_AGAIN_DONE);
}
END_TEST

START_TEST(a_limit_far_from_what_others_need_is_no_answer)
{
	struct sw_origin_attempt attempts[48];
	struct sw_origin origin;
	size_t count = put_example(attempts);

	attempts[47].state = SW_RUN_TIMEOUT;
	attempts[47].requested_seconds = 100;
	ck_assert_int_eq(sw_origin_find(&origin, attempts, count, count - 1),
			 0);
	ck_assert_int_eq(origin.answer, SW_ORIGIN_TIME);
	ck_assert_double_eq(origin.longest_seconds, 100);
	attempts[47].requested_seconds = 1000;
	ck_assert_int_eq(sw_origin_find(&origin, attempts, count, count - 1),
			 0);
	ck_assert_int_eq(origin.answer, SW_ORIGIN_UNTOLD);
	ck_assert_int_eq(origin.why, SW_ORIGIN_FAR_LIMIT);
}
END_TEST

static void check_words(const struct sw_origin *origin, const char *expected)
{
	static const struct sw_origin_names names = {
		.what = "sample",
		.thing = "S7",
		.place = { "n1", "/scratch", "old" },
	};
	char buf[SW_ORIGIN_WORDS_SIZE];

	ck_assert_str_eq(sw_origin_words(buf, sizeof(buf), origin, &names),
			 expected);
}

START_TEST(words_have_the_counts_and_what_to_do)
{
	struct sw_origin origin = {
		.answer = SW_ORIGIN_INPUT,
		.attempts = { 2, 2 },
		.attempt_nodes = 2,
		.others = { 0, 46 },
		.here = { 4, 5 },
		.elsewhere = { 1, 40 },
		.before = { 0, 60 },
		.since = { 9, 9 },
		.since_nodes = 3,
		.since_seconds = NAN,
		.requested = 4.0 * 1024 * 1024 * 1024,
		.longest_seconds = 5400,
		.chance = 0.02,
	};

	check_words(&origin, "2 of 2 attempts at sample S7 failed in this way, "
			     "on 2 nodes, and 46 of 46 runs of others since "
			     "then did not: its input (1 in 50 by chance). Do "
			     "not run it again before the input was checked.");
	origin.answer = SW_ORIGIN_PLACE;
	origin.again = SW_ORIGIN_AGAIN_ELSEWHERE;
	check_words(&origin, "4 of 5 runs of others on node n1 failed in this "
			     "way as well, and 1 of 40 on other nodes: its "
			     "node (1 in 50 by chance). Run it again as it "
			     "is, on another node.");
	origin.place = SW_ORIGIN_ON_KIND;
	check_words(&origin, "4 of 5 runs of others on other nodes of kind old "
			     "failed in this way as well, and 1 of 40 on "
			     "other kinds: its node kind (1 in 50 by chance). "
			     "Run it again as it is, on another node.");
	origin.answer = SW_ORIGIN_PROGRAM;
	origin.again = SW_ORIGIN_AGAIN_NOT;
	origin.since_seconds = 0;
	setenv("TZ", "UTC", 1);
	check_words(&origin, "Since 1970-01-01 00:00 9 of 9 runs of others "
			     "failed in this way, on 3 nodes with this one, "
			     "and 0 of 60 before: the program, or what "
			     "changed with it (1 in 50 by chance). Do not run "
			     "it again before what changed was found.");
	origin.answer = SW_ORIGIN_MEMORY;
	check_words(&origin,
		    "It ran out of memory with 4.0 GiB, and 46 of 46 "
		    "runs of others since then did not: its request. Run "
		    "it again with more memory, not as it is.");
	origin.answer = SW_ORIGIN_TIME;
	origin.requested = 7200;
	check_words(&origin,
		    "It hit its time limit of 2 h 00 min, of which "
		    "others took up to 1 h 30 min, and 46 of 46 runs "
		    "of others since then did not: its request. Run it again "
		    "with more time, not as it is.");
	origin.answer = SW_ORIGIN_UNTOLD;
	origin.why = SW_ORIGIN_ONE_TRY;
	origin.again = SW_ORIGIN_AGAIN_ONCE;
	origin.attempts = (struct sw_origin_count){ 1, 1 };
	origin.attempt_nodes = 0;
	check_words(&origin, "Input, node or program cannot be told: 1 of 1 "
			     "attempt at sample S7 failed in this way, and 46 "
			     "of 46 runs of others since then did not. Run it "
			     "again once as it is, if possible on another "
			     "node: that would tell.");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("origin");

	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, counts_are_the_evidence);
	tcase_add_test(tests, another_end_is_another_failure);
	tcase_add_test(tests,
		       a_group_that_fails_in_other_ways_is_no_contrast);
	tcase_add_test(tests, others_before_it_are_no_contrast);
	tcase_add_test(tests, what_succeeded_again_has_no_bad_input);
	tcase_add_test(tests, a_limit_far_from_what_others_need_is_no_answer);
	tcase_add_test(tests, words_have_the_counts_and_what_to_do);
	tcase_add_test(tests, says_what_was_planted_or_that_it_cannot_be_told);
	return run_tests("origin", tests, NULL);
}

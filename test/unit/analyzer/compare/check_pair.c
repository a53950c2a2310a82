/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two runs: which differences are named, in both directions, and which not. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/compare/difference_words.h"
#include "common/missing.h"
#include "test/run_tests.h"
#include "test/unit/analyzer/compare/group_kit.h"

enum { SEEDS = 20, FOUND_LEAST = 22, EQUAL = 20 };

static struct sw_comparison compared;

static const char *words_of(const struct sw_comparison *comparison)
{
	static char text[8 * SW_DIFFERENCE_TEXT];

	return sw_differences_line(text, sizeof(text), comparison);
}

static void compare(const struct sw_pair *pair)
{
	sw_comparison_fini(&compared);
	ck_assert_int_eq(sw_compare_pair(&compared, pair), 0);
}

/* A run and one like it. */
static void draw(struct kit_group *group, uint64_t seed,
		 struct sw_fingerprint *run, struct sw_fingerprint *other)
{
	kit_group_draw(group, seed, KIT_ALIKE);
	kit_run_draw(group, other);
	kit_run_draw(group, run);
}

START_TEST(names_what_was_planted)
{
	struct sw_fingerprint run, other;
	struct kit_group group;
	unsigned found = 0;
	size_t i;

	for (i = 0; i < KIT_PLANTS; i++) {
		draw(&group, (uint64_t)_i * 1000 + i, &run, &other);
		kit_plants[i].plant(&group, &run);
		compare(&(struct sw_pair){ .run = &run, .other = &other });
		if (kit_is_named(&group, &kit_plants[i], &compared))
			found++;
		else
			printf("seed %d, missed: %s (noise %.1f %%): %s\n", _i,
			       kit_plants[i].name, 100 * group.noise,
			       words_of(&compared));
	}
	ck_assert_uint_ge(found, FOUND_LEAST);
}
END_TEST

START_TEST(equal_pairs_are_alike)
{
	struct sw_fingerprint run, other;
	struct kit_group group;
	unsigned i;

	for (i = 0; i < EQUAL; i++) {
		draw(&group, (uint64_t)_i * 1000 + i, &run, &other);
		compare(&(struct sw_pair){ .run = &run, .other = &other });
		ck_assert_msg(compared.count == 0, "seed %d: %s", _i,
			      words_of(&compared));
	}
}
END_TEST

static struct sw_fingerprint_program *add_program(struct sw_fingerprint *run,
						  const char *name)
{
	struct sw_fingerprint_program *program =
		&run->programs[run->program_count++];

	sw_fingerprint_program_init(program, name);
	program->amount[SW_PROGRAM_COUNT] = 1;
	program->amount[SW_PROGRAM_CPU_USEC] = 10000000;
	program->amount[SW_PROGRAM_WRITTEN_BYTES] = 1 << 20;
	program->exited_ok = 1;
	return program;
}

static void make(struct sw_fingerprint *run)
{
	sw_fingerprint_init(run);
	run->state = SW_RUN_COMPLETED;
	run->exit_code = 0;
	run->is_complete = true;
	run->amount[SW_STEP_ELAPSED_USEC] = 20000000;
	run->amount[SW_STEP_CPU_USEC] = 20000000;
	run->amount[SW_STEP_WRITTEN_BYTES] = 2 << 20;
	add_program(run, "align");
	add_program(run, "sort");
}

static void is_said(const struct sw_fingerprint *run,
		    const struct sw_fingerprint *other, const char *text)
{
	char line[512];

	compare(&(struct sw_pair){ .run = run, .other = other });
	snprintf(line, sizeof(line), "%s%s", text, *text ? "." : "");
	ck_assert_str_eq(words_of(&compared), line);
}

START_TEST(words_of_both_directions)
{
	struct sw_fingerprint one, two;

	make(&one);
	make(&two);
	is_said(&two, &one, "");
	sw_fingerprint_add_exit(&two.programs[1], false, 2, 1);
	is_said(&two, &one, "sort ended with status 2");
	is_said(&one, &two, "sort did not end with status 2");
	sw_fingerprint_add_exit(&one.programs[1], true, 11, 1);
	is_said(&one, &two,
		"sort was killed by SIGSEGV; sort did not end with status 2");
	make(&two);
	two.program_count = 1;
	make(&one);
	is_said(&two, &one, "sort did not run");
	is_said(&one, &two, "sort ran");
	make(&two);
	two.state = SW_RUN_FAILED;
	two.exit_code = 3;
	is_said(&two, &one,
		"the run failed with exit code 3 (the other succeeded)");
	is_said(&one, &two,
		"the run succeeded (the other failed with exit code 3)");
}
END_TEST

START_TEST(an_answer_is_no_failure)
{
	struct sw_fingerprint one, two;

	make(&one);
	make(&two);
	add_program(&one, "grep");
	sw_fingerprint_add_exit(add_program(&two, "grep"), false, 1, 1);
	is_said(&two, &one, "");
}
END_TEST

/* Failures of both count if there are many more of them. */
START_TEST(more_failures)
{
	struct sw_fingerprint one, two;

	make(&one);
	make(&two);
	one.programs[0].amount[SW_PROGRAM_COUNT] = 60;
	two.programs[0].amount[SW_PROGRAM_COUNT] = 60;
	sw_fingerprint_add_exit(&one.programs[0], false, 1, 2);
	sw_fingerprint_add_exit(&two.programs[0], false, 1, 3);
	is_said(&two, &one, "");
	sw_fingerprint_add_exit(&two.programs[0], false, 1, 5);
	is_said(&two, &one, "8 of 60 processes of align failed instead of 2");
}
END_TEST

START_TEST(amounts_beside_inputs)
{
	struct sw_fingerprint one, two;

	make(&one);
	make(&two);
	two.amount[SW_STEP_WRITTEN_BYTES] *= 3;
	is_said(&two, &one, "the run wrote 6.0 MiB instead of 2.0 MiB");
	one.input_bytes = 1000;
	two.input_bytes = 3000;
	is_said(&two, &one, "");
	two.input_bytes = 1000;
	is_said(&two, &one, "the run wrote 6.0 MiB instead of 2.0 MiB");
	/* A larger input does not make the output smaller. */
	two.input_bytes = 3000;
	two.amount[SW_STEP_WRITTEN_BYTES] = 1 << 20;
	is_said(&two, &one, "the run wrote 1.0 MiB instead of 2.0 MiB");
}
END_TEST

/* The caches decide how long short runs take. */
START_TEST(short_times_are_alike)
{
	struct sw_fingerprint one, two;

	make(&one);
	make(&two);
	one.amount[SW_STEP_ELAPSED_USEC] = 700000;
	two.amount[SW_STEP_ELAPSED_USEC] = 5600000;
	one.amount[SW_STEP_NEED_BYTES] = 500000;
	two.amount[SW_STEP_NEED_BYTES] = 5000000;
	is_said(&two, &one, "");
	two.amount[SW_STEP_ELAPSED_USEC] = 5800000;
	two.amount[SW_STEP_NEED_BYTES] = 50000000;
	is_said(&two, &one,
		"the run needed 47.7 MiB of memory instead of 488 KiB; the run "
		"took 5.8 s instead of 700 ms");
}
END_TEST

/* Time that others took is theirs. */
START_TEST(time_of_others)
{
	struct sw_fingerprint one, two;

	make(&one);
	make(&two);
	one.limited[SW_LIMITED_BY_NODE] = 0;
	two.amount[SW_STEP_ELAPSED_USEC] *= 2;
	two.limited[SW_LIMITED_BY_NODE] = 0;
	is_said(&two, &one, "the run took 40.0 s instead of 20.0 s");
	two.limited[SW_LIMITED_BY_NODE] = 0.5;
	is_said(&two, &one, "");
}
END_TEST

START_TEST(environment)
{
	struct sw_fingerprint one, two;

	make(&one);
	make(&two);
	one.environment.cpus_milli = 2000;
	two.environment.cpus_milli = 1000;
	two.amount[SW_STEP_ELAPSED_USEC] = 26000000;
	is_said(&two, &one,
		"the run took 26.0 s instead of 20.0 s; this coincides with "
		"1 CPU instead of 2");
	/* What others do is beside time only. */
	one.environment.neighbors_permille = 10;
	two.environment.neighbors_permille = 900;
	two.environment.cpus_milli = 2000;
	is_said(&two, &one, "");
	two.amount[SW_STEP_ELAPSED_USEC] = 40000000;
	is_said(&two, &one,
		"the run took 40.0 s instead of 20.0 s; this coincides with "
		"others using 90 % of the node's CPUs instead of 1 %");
}
END_TEST

/* What an unfinished recording does not show may still come. */
START_TEST(partial_recordings)
{
	struct sw_fingerprint one, two;
	struct sw_pair pair = { .run = &two, .other = &one };

	make(&one);
	make(&two);
	two.program_count = 1;
	two.amount[SW_STEP_WRITTEN_BYTES] = 0;
	pair.run_is_partial = true;
	compare(&pair);
	ck_assert_uint_eq(compared.count, 0);
	sw_fingerprint_add_exit(&two.programs[0], false, 2, 1);
	compare(&pair);
	ck_assert_str_eq(words_of(&compared), "align ended with status 2.");
	pair.run_is_partial = false;
	pair.other_is_partial = true;
	compare(&pair);
	ck_assert_str_eq(words_of(&compared),
			 "sort did not run; with it, the run wrote 0 B instead "
			 "of 2.0 MiB.");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("pair");

	tcase_add_loop_test(tests, names_what_was_planted, 1, SEEDS + 1);
	tcase_add_loop_test(tests, equal_pairs_are_alike, 1, SEEDS + 1);
	tcase_add_test(tests, words_of_both_directions);
	tcase_add_test(tests, an_answer_is_no_failure);
	tcase_add_test(tests, more_failures);
	tcase_add_test(tests, amounts_beside_inputs);
	tcase_add_test(tests, short_times_are_alike);
	tcase_add_test(tests, time_of_others);
	tcase_add_test(tests, environment);
	tcase_add_test(tests, partial_recordings);
	return run_tests("pair", tests, NULL);
}

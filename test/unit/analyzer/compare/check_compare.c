/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs that differ from their past in one way, and healthy ones. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/compare/difference_words.h"
#include "analyzer/compare/fingerprint_run.h"
#include "common/missing.h"
#include "test/run_tests.h"
#include "test/unit/analyzer/compare/group_kit.h"

enum { SEEDS = 20, FOUND_LEAST = 22, HEALTHY = 40, EQUAL = 20 };

/* Seeds other than the default ones: STEPWELL_COMPARE_SEED=N. */
static uint64_t first_seed(void)
{
	const char *text = getenv("STEPWELL_COMPARE_SEED");

	return text ? strtoull(text, NULL, 10) : 1;
}

static void compare(struct sw_comparison *comparison,
		    const struct kit_group *group,
		    const struct sw_fingerprint *run)
{
	ck_assert_int_eq(
		sw_compare_run(comparison, run, group->list, group->past_count),
		0);
}

static const char *words_of(const struct sw_comparison *comparison)
{
	static char text[8 * SW_DIFFERENCE_TEXT];

	return sw_comparison_words(text, sizeof(text), comparison);
}

static unsigned try_plants(uint64_t seed)
{
	struct sw_comparison comparison;
	struct sw_fingerprint run;
	struct kit_group group;
	unsigned found = 0;
	size_t i;

	for (i = 0; i < KIT_PLANTS; i++) {
		kit_group_draw(&group, seed * 1000 + i,
			       (seed + i) % 2 ? KIT_KNOWN : KIT_ALIKE);
		kit_run_draw(&group, &run);
		kit_plants[i].plant(&group, &run);
		compare(&comparison, &group, &run);
		if (kit_is_named(&group, &kit_plants[i], &comparison))
			found++;
		else
			printf("seed %llu, missed: %s (noise %.1f %%%s): %s\n",
			       (unsigned long long)seed, kit_plants[i].name,
			       100 * group.noise,
			       group.has_two_kinds ? ", two kinds" : "",
			       words_of(&comparison));
		sw_comparison_fini(&comparison);
	}
	return found;
}

/* Return true, and print it, if the run is called different. */
static bool is_called_different(uint64_t seed, const struct kit_group *group,
				const struct sw_fingerprint *run)
{
	struct sw_comparison comparison;
	bool is_different;

	compare(&comparison, group, run);
	is_different = comparison.count > 0;
	if (is_different)
		printf("seed %llu, healthy: %s\n", (unsigned long long)seed,
		       words_of(&comparison));
	sw_comparison_fini(&comparison);
	return is_different;
}

static unsigned try_healthy(uint64_t seed)
{
	struct sw_fingerprint run;
	struct kit_group group;
	unsigned wrong = 0;
	size_t i;

	for (i = 0; i < HEALTHY + EQUAL; i++) {
		bool is_equal = i >= HEALTHY;

		kit_group_draw(&group, seed * 1000 + 500 + i,
			       is_equal ? KIT_ALIKE
			       : i % 2	? KIT_KNOWN
					: KIT_UNKNOWN);
		kit_run_draw(&group, &run);
		wrong += is_called_different(seed, &group, &run);
	}
	return wrong;
}

START_TEST(finds_what_was_planted_and_nothing_else)
{
	unsigned found, wrong;
	uint64_t seed;

	for (seed = first_seed(); seed < first_seed() + SEEDS; seed++) {
		found = try_plants(seed);
		wrong = try_healthy(seed);
		printf("seed %llu: found %u/%d, false %u/%d\n",
		       (unsigned long long)seed, found, KIT_PLANTS, wrong,
		       HEALTHY + EQUAL);
		ck_assert_uint_ge(found, FOUND_LEAST);
		ck_assert_uint_eq(wrong, 0);
	}
}
END_TEST

/* Draw a group, and a run that differs from it in this way. */
static void plant(struct kit_group *group, struct sw_fingerprint *run,
		  const char *name)
{
	size_t i = 0;

	kit_group_draw(group, 7, KIT_ALIKE);
	kit_run_draw(group, run);
	while (name && strcmp(kit_plants[i].name, name) != 0)
		ck_assert_uint_lt(++i, KIT_PLANTS);
	if (name)
		kit_plants[i].plant(group, run);
}

static struct kit_group group;
static struct sw_fingerprint run;
static struct sw_comparison comparison;

static void expect(const char *words)
{
	compare(&comparison, &group, &run);
	ck_assert_msg(strstr(words_of(&comparison), words) != NULL,
		      "\"%s\" is not in \"%s\"", words, words_of(&comparison));
	ck_assert_ptr_null(strstr(words_of(&comparison), "cause"));
	sw_comparison_fini(&comparison);
}

START_TEST(too_few_runs_say_nothing)
{
	plant(&group, &run, "input missing");
	group.past_count = 4;
	expect("Not compared: needs 5 successful runs like it, has 4.");
	group.past_count = 0;
	expect("has 0.");
}
END_TEST

START_TEST(failed_runs_do_not_teach)
{
	size_t i;

	plant(&group, &run, "input missing");
	group.past_count = 10;
	for (i = 0; i < 3; i++)
		group.past[2 * i].state = SW_RUN_FAILED;
	for (i = 0; i < 3; i++)
		group.past[2 * i + 1].has_failure = true;
	expect("has 4.");
}
END_TEST

START_TEST(only_less_work_puts_results_in_doubt)
{
	static const struct {
		const char *plant;
		bool is_in_doubt;
	} cases[] = {
		{ "half of the output", true },
		{ "a program left out", true },
		{ "8 of 60 workers fail", true },
		{ "another kind of node", false },
		{ "a slower mount", false },
		{ "more memory", false },
		{ "an additional program", false },
		{ "another bottleneck", false },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		plant(&group, &run, cases[i].plant);
		compare(&comparison, &group, &run);
		ck_assert_uint_gt(comparison.count, 0);
		ck_assert_msg(sw_difference_is_incomplete(
				      &comparison,
				      &comparison.differences[0]) ==
				      cases[i].is_in_doubt,
			      "%s", cases[i].plant);
		sw_comparison_fini(&comparison);
	}
	/* A faster node needs less CPU time for the same. */
	plant(&group, &run, NULL);
	for (i = 0; i < run.program_count; i++)
		run.programs[i].amount[SW_PROGRAM_CPU_USEC] /= 3;
	run.amount[SW_STEP_CPU_USEC] /= 3;
	snprintf(run.environment.kind, SW_FINGERPRINT_TEXT, "faster");
	compare(&comparison, &group, &run);
	ck_assert_uint_gt(comparison.count, 0);
	ck_assert(!sw_difference_is_incomplete(&comparison,
					       &comparison.differences[0]));
	sw_comparison_fini(&comparison);
}
END_TEST

/* After five in a row, that is how the group is now. */
START_TEST(new_ways_are_learned)
{
	size_t i;

	plant(&group, &run, "a program left out");
	group.past_count = 10;
	expect("did not run");
	for (i = group.past_count - 4; i < group.past_count; i++) {
		group.past[i] = run;
		group.past[i].was_unlike = true;
	}
	expect("did not run");
	/* One that failed tells nothing of its ways. */
	i = group.past_count - 6;
	group.past[i + 1].state = SW_RUN_FAILED;
	group.past[i] = run;
	group.past[i].was_unlike = true;
	expect("Like 5 past runs.");
	/* Later ones that are like them teach, too; a single one does not. */
	group.past[group.past_count++] = run;
	kit_run_draw(&group, &group.past[group.past_count]);
	group.past[group.past_count++].was_unlike = true;
	expect("Like 6 past runs.");
}
END_TEST

START_TEST(what_follows_from_a_difference_is_no_other)
{
	plant(&group, &run, "a program left out");
	compare(&comparison, &group, &run);
	ck_assert_uint_gt(comparison.count, 1);
	ck_assert_uint_eq(comparison.unexplained, 1);
	ck_assert_int_eq(comparison.differences[0].kind, SW_DIFFERS_ABSENT);
	ck_assert_int_eq(comparison.differences[1].explained_by, 0);
	sw_comparison_fini(&comparison);
	expect(" did not run, unlike in each of ");
}
END_TEST

static void write_part(const char *name, double share, uint64_t started_usec)
{
	struct sw_fingerprint_program *program = kit_program(&run, name);
	uint64_t *written = &program->amount[SW_PROGRAM_WRITTEN_BYTES];

	*written = (uint64_t)((double)*written * share);
	program->started_usec = started_usec;
}

static void expect_first(enum sw_difference_kind kind, const char *program)
{
	compare(&comparison, &group, &run);
	ck_assert_uint_gt(comparison.count, 0);
	ck_assert_int_eq(comparison.differences[0].kind, kind);
	ck_assert_str_eq(comparison.differences[0].program, program);
	sw_comparison_fini(&comparison);
}

/* Programs that start later wrote less because they read less. */
START_TEST(the_first_that_wrote_less_is_named)
{
	const char *one, *two;

	plant(&group, &run, NULL);
	one = group.stages[0].name;
	two = group.stages[1].name;
	write_part(one, 0.1, 1000);
	write_part(two, 0.1, 2000);
	expect_first(SW_DIFFERS_LESS, one);
	write_part(one, 1, 3000);
	expect_first(SW_DIFFERS_LESS, two);
	write_part(one, 1, SW_MISSING);
	expect_first(SW_DIFFERS_LESS, two);
}
END_TEST

static void fail_at(const char *name, uint64_t failed_usec)
{
	struct sw_fingerprint_program *program = kit_program(&run, name);

	sw_fingerprint_add_exit(program, false, 2, 1);
	program->failed_usec = failed_usec;
}

/* Those that get nothing from it fail sooner, but after it. */
START_TEST(the_first_that_failed_is_named)
{
	const char *one, *two;

	plant(&group, &run, NULL);
	one = group.stages[0].name;
	two = group.stages[1].name;
	kit_program(&run, two)->amount[SW_PROGRAM_LONGEST_USEC] = 1;
	fail_at(one, 5000);
	fail_at(two, 6000);
	expect_first(SW_DIFFERS_EXIT, one);
	kit_program(&run, one)->failed_usec = 7000;
	expect_first(SW_DIFFERS_EXIT, two);
}
END_TEST

/* If ends may have gone unseen, or programs are not listed, it may have run. */
START_TEST(unknown_is_not_absent)
{
	plant(&group, &run, "a program left out");
	run.amount[SW_STEP_WRITTEN_BYTES] = run.amount[SW_STEP_READ_BYTES] =
		run.amount[SW_STEP_CPU_USEC] =
			run.amount[SW_STEP_ELAPSED_USEC] = SW_MISSING;
	run.more_programs = 1;
	expect("Like ");
	run.more_programs = 0;
	run.is_complete = false;
	expect("Like ");
	run.is_complete = true;
	expect("Unlike ");
}
END_TEST

static void fail_all(const char *name, unsigned status)
{
	size_t i;

	for (i = 0; i < group.past_count; i++)
		sw_fingerprint_add_exit(kit_program(&group.past[i], name),
					false, status, 1);
}

START_TEST(an_answer_is_no_failure)
{
	plant(&group, &run, NULL);
	group.past_count = 12;
	sw_fingerprint_add_exit(kit_program(&run, "grep"), false, 1, 3);
	sw_fingerprint_add_exit(kit_program(&run, "grep"), false,
				SW_EXIT_NUMBER_UNKNOWN, 3);
	expect("Like ");
	/* A status that it has in each run is one, too. */
	fail_all("date", 3);
	sw_fingerprint_add_exit(kit_program(&run, "date"), false, 3, 1);
	expect("Like ");
	sw_fingerprint_add_exit(kit_program(&run, "date"), false, 4, 1);
	expect("date ended with status 4 in 1 of 3 processes, as in none of ");
}
END_TEST

START_TEST(an_unknown_status_may_be_any)
{
	plant(&group, &run, NULL);
	fail_all("date", SW_EXIT_NUMBER_UNKNOWN);
	sw_fingerprint_add_exit(kit_program(&run, "date"), false, 3, 1);
	expect("Like ");
	sw_fingerprint_add_exit(kit_program(&run, "date"), true,
				SW_EXIT_NUMBER_UNKNOWN, 1);
	expect("date was killed by a signal in 1 of 3 processes");
}
END_TEST

/* A few of its processes always fail. */
START_TEST(more_failures_than_usual_are_a_difference)
{
	size_t i;

	plant(&group, &run, NULL);
	for (i = 0; i < group.past_count; i++)
		sw_fingerprint_add_exit(kit_program(&group.past[i], "worker"),
					false, 3, 1 + i % 2);
	sw_fingerprint_add_exit(kit_program(&run, "worker"), false, 3, 2);
	expect("Like ");
	sw_fingerprint_add_exit(kit_program(&run, "worker"), false, 3, 10);
	expect("12 of 60 processes of worker failed, usually ");
}
END_TEST

/* With names of programs that are new in each run, one more says nothing. */
START_TEST(what_is_always_new_is_not_new)
{
	struct sw_fingerprint_program *program;
	size_t i;

	plant(&group, &run, "an additional program");
	expect("rsync ran, as in none of ");
	for (i = 0; i < group.past_count; i++) {
		program =
			&group.past[i].programs[group.past[i].program_count++];
		sw_fingerprint_program_init(program, "tmp");
		snprintf(program->name, sizeof(program->name), "tmp.%zu", i);
		program->amount[SW_PROGRAM_COUNT] = 1;
	}
	expect("Like ");
}
END_TEST

START_TEST(the_environment_stands_beside)
{
	plant(&group, &run, NULL);
	run.environment.cpus_milli = 3000;
	expect("Like ");
	plant(&group, &run, "one CPU less");
	expect("; this coincides with 3 CPUs instead of 4");
}
END_TEST

/* A run is not slower for having the node to itself. */
START_TEST(fewer_neighbors_are_no_circumstance)
{
	size_t i;

	plant(&group, &run, NULL);
	for (i = 0; i < group.past_count; i++)
		group.past[i].environment.neighbors_permille = 500 + i;
	run.environment.neighbors_permille = 10;
	compare(&comparison, &group, &run);
	ck_assert_uint_eq(comparison.environment_count, 0);
	sw_comparison_fini(&comparison);
	run.environment.neighbors_permille = 900;
	compare(&comparison, &group, &run);
	ck_assert_uint_eq(comparison.environment_count, 1);
	sw_comparison_fini(&comparison);
}
END_TEST

enum { AFTER = 15 };

static void expect_sets(size_t on_new, const char *words, bool is_said)
{
	static struct sw_fingerprint after[AFTER];
	const struct sw_fingerprint *list[AFTER];
	char text[4 * SW_DIFFERENCE_TEXT];
	size_t i;

	plant(&group, &run, "more CPU time");
	for (i = 0; i < AFTER; i++) {
		kit_run_draw(&group, &after[i]);
		after[i].amount[SW_STEP_CPU_USEC] *= 2;
		after[i].amount[SW_STEP_ELAPSED_USEC] *= 2;
		snprintf(after[i].environment.kernel, SW_FINGERPRINT_TEXT,
			 i < AFTER - on_new ? "6.8" : "6.12");
		list[i] = &after[i];
	}
	for (i = 0; i < group.past_count; i++)
		snprintf(group.past[i].environment.kernel, SW_FINGERPRINT_TEXT,
			 "6.8");
	ck_assert_int_eq(sw_compare_sets(&comparison, list, AFTER, group.list,
					 group.past_count),
			 0);
	sw_comparison_words(text, sizeof(text), &comparison);
	ck_assert_msg((strstr(text, words) != NULL) == is_said, "%s", text);
	ck_assert_msg(strstr(text, "(medians, ") != NULL, "%s", text);
	ck_assert_msg(!strchr(text, '?'), "%s", text);
	sw_comparison_fini(&comparison);
}

START_TEST(the_environment_of_sets_stands_beside)
{
	expect_sets(AFTER, "; this coincides with another kernel (6.12, not "
			   "6.8)", true);
	/* Only some of the runs have it, or all as before. */
	expect_sets(AFTER / 2, "coincides", false);
	expect_sets(0, "coincides", false);
}
END_TEST

START_TEST(a_scheduler_knows_little_of_a_run)
{
	struct sw_run known = sw_run_unknown;

	known.state = SW_RUN_COMPLETED;
	known.elapsed_seconds = 90.5;
	sw_fingerprint_of_run(&run, &known);
	ck_assert_uint_eq(run.amount[SW_STEP_ELAPSED_USEC], 90500000);
	ck_assert_uint_eq(run.amount[SW_STEP_CPU_USEC], SW_MISSING);
	ck_assert_uint_eq(run.amount[SW_STEP_NEED_BYTES], SW_MISSING);
	ck_assert_uint_eq(run.exit_code, SW_MISSING);
	ck_assert_uint_eq(run.input_bytes, SW_MISSING);
	ck_assert(sw_fingerprint_teaches(&run));
	ck_assert(!sw_fingerprint_lacks(&run, "bwa"));
}
END_TEST

static unsigned try_sets(uint64_t seed, const char *name, const char *words)
{
	static struct sw_fingerprint after[AFTER];
	const struct sw_fingerprint *list[AFTER];
	bool is_found;
	size_t i, j;

	kit_group_draw(&group, seed, seed % 2 ? KIT_KNOWN : KIT_ALIKE);
	for (i = 0; i < AFTER; i++) {
		kit_run_draw(&group, &after[i]);
		list[i] = &after[i];
		for (j = 0; name && j < KIT_PLANTS; j++) {
			if (!strcmp(kit_plants[j].name, name))
				kit_plants[j].plant(&group, &after[i]);
		}
	}
	ck_assert_int_eq(sw_compare_sets(&comparison, list, AFTER, group.list,
					 group.past_count),
			 0);
	is_found = comparison.count > 0 &&
		   strstr(words_of(&comparison), words) != NULL;
	if (is_found != (name != NULL))
		printf("sets, seed %llu, %s: %s\n", (unsigned long long)seed,
		       name ? name : "healthy", words_of(&comparison));
	sw_comparison_fini(&comparison);
	return is_found;
}

START_TEST(sets_differ_by_what_was_planted)
{
	unsigned found = 0, wrong = 0;
	uint64_t seed;

	for (seed = first_seed(); seed < first_seed() + SEEDS; seed++) {
		found += try_sets(seed, "more CPU time", " of CPU time");
		found += try_sets(seed, "1 of 60 workers fails",
				  "worker failed in 15 of 15 runs");
		found += try_sets(seed, "half of the output", " wrote ");
		found += try_sets(seed, "a program left out",
				  " did not run in 15 of 15 runs");
		wrong += try_sets(seed, NULL, "");
	}
	printf("sets: found %u/%d, false %u/%d\n", found, 4 * SEEDS, wrong,
	       SEEDS);
	ck_assert_uint_ge(found, 4 * SEEDS * 95 / 100);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("compare");

	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, too_few_runs_say_nothing);
	tcase_add_test(tests, failed_runs_do_not_teach);
	tcase_add_test(tests, what_follows_from_a_difference_is_no_other);
	tcase_add_test(tests, the_first_that_wrote_less_is_named);
	tcase_add_test(tests, the_first_that_failed_is_named);
	tcase_add_test(tests, unknown_is_not_absent);
	tcase_add_test(tests, an_answer_is_no_failure);
	tcase_add_test(tests, an_unknown_status_may_be_any);
	tcase_add_test(tests, more_failures_than_usual_are_a_difference);
	tcase_add_test(tests, what_is_always_new_is_not_new);
	tcase_add_test(tests, only_less_work_puts_results_in_doubt);
	tcase_add_test(tests, new_ways_are_learned);
	tcase_add_test(tests, the_environment_stands_beside);
	tcase_add_test(tests, fewer_neighbors_are_no_circumstance);
	tcase_add_test(tests, the_environment_of_sets_stands_beside);
	tcase_add_test(tests, a_scheduler_knows_little_of_a_run);
	tcase_add_test(tests, sets_differ_by_what_was_planted);
	tcase_add_test(tests, finds_what_was_planted_and_nothing_else);
	return run_tests("compare", tests, NULL);
}

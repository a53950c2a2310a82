/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values side by side: medians, what is equal, and what is unknown. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/compare/beside.h"
#include "common/missing.h"
#include "test/run_tests.h"

enum { RUNS = 3 };

static struct sw_fingerprint runs[2 * RUNS];
static const struct sw_fingerprint *lists[2 * RUNS];
static struct sw_beside beside;

static void setup(void)
{
	size_t i;

	for (i = 0; i < 2 * RUNS; i++) {
		struct sw_fingerprint_program *program = &runs[i].programs[0];

		sw_fingerprint_init(&runs[i]);
		runs[i].state = SW_RUN_COMPLETED;
		runs[i].exit_code = 0;
		runs[i].is_complete = true;
		runs[i].program_count = 1;
		runs[i].amount[SW_STEP_ELAPSED_USEC] = 10000000;
		runs[i].amount[SW_STEP_CPU_USEC] = 10000000;
		sw_fingerprint_program_init(program, "align");
		program->amount[SW_PROGRAM_COUNT] = 1;
		program->amount[SW_PROGRAM_CPU_USEC] = 9000000;
		lists[i] = &runs[i];
	}
}

static void teardown(void)
{
	sw_beside_fini(&beside);
}

/* The first "count" runs beside the next ones. */
static void compare(size_t count, size_t past)
{
	const struct sw_beside_set a = { lists, count };
	const struct sw_beside_set b = { lists + count, count };
	const struct sw_beside_set before = { lists, past };

	sw_beside_fini(&beside);
	ck_assert_int_eq(sw_beside_init(&beside, &a, &b, &before), 0);
}

static const struct sw_beside_row *find(const char *program, const char *name)
{
	size_t i;

	for (i = 0; i < beside.count; i++) {
		const struct sw_beside_row *row = &beside.rows[i];

		if (!strcmp(row->name, name) &&
		    (program ? row->program && !strcmp(row->program, program)
			     : !row->program))
			return row;
	}
	return NULL;
}

START_TEST(one_run_beside_another)
{
	runs[1].amount[SW_STEP_ELAPSED_USEC] = 10400000;
	runs[1].amount[SW_STEP_CPU_USEC] = 20000000;
	compare(1, 0);
	ck_assert(find(NULL, "elapsed")->is_equal);
	ck_assert(!find(NULL, "CPU time")->is_equal);
	ck_assert(isnan(find(NULL, "CPU time")->least));
	ck_assert_str_eq(find(NULL, "end")->text_b, "succeeded");
	runs[1].state = SW_RUN_FAILED;
	runs[1].exit_code = 3;
	compare(1, 0);
	ck_assert_str_eq(find(NULL, "end")->text_b, "failed (3)");
	ck_assert(!find(NULL, "end")->is_equal);
}
END_TEST

START_TEST(unknown_is_not_absent)
{
	runs[1].program_count = 0;
	compare(1, 0);
	/* Nothing is known of its programs. */
	ck_assert(isnan(find("align", "processes")->b));
	sw_fingerprint_program_init(&runs[1].programs[0], "sort");
	runs[1].program_count = 1;
	compare(1, 0);
	ck_assert_double_eq(find("align", "processes")->b, 0);
	ck_assert_double_eq(find("sort", "failed")->b, 0);
	runs[1].is_complete = false;
	compare(1, 0);
	ck_assert(isnan(find("align", "processes")->b));
	ck_assert_ptr_null(find(NULL, "memory need"));
}
END_TEST

START_TEST(sets_have_medians_and_a_past_its_range)
{
	runs[0].amount[SW_STEP_ELAPSED_USEC] = 8000000;
	runs[2].amount[SW_STEP_ELAPSED_USEC] = 90000000;
	runs[3].state = SW_RUN_FAILED;
	compare(RUNS, RUNS);
	ck_assert_double_eq(find(NULL, "elapsed")->a, 10000000);
	ck_assert_double_eq(find(NULL, "elapsed")->least, 8000000);
	ck_assert_double_eq(find(NULL, "elapsed")->most, 90000000);
	ck_assert(find(NULL, "elapsed")->is_equal);
	ck_assert_ptr_null(find(NULL, "end"));
	ck_assert_double_eq(find(NULL, "failed")->a, 0);
}
END_TEST

START_TEST(texts_of_sets)
{
	size_t i;

	for (i = 0; i < 2 * RUNS; i++)
		snprintf(runs[i].environment.node, SW_FINGERPRINT_TEXT, "n%zu",
			 i < RUNS ? 1 : i);
	compare(RUNS, 0);
	ck_assert_str_eq(find(NULL, "node")->text_a, "n1");
	ck_assert_str_eq(find(NULL, "node")->text_b, "several");
}
END_TEST

/* A fold of small values is rounding, and of numbers of processes is not. */
START_TEST(small_values_are_alike)
{
	runs[0].amount[SW_STEP_WRITTEN_BYTES] = 100;
	runs[1].amount[SW_STEP_WRITTEN_BYTES] = 9000;
	runs[0].programs[0].amount[SW_PROGRAM_COUNT] = 100;
	runs[1].programs[0].amount[SW_PROGRAM_COUNT] = 101;
	compare(1, 0);
	ck_assert(find(NULL, "written")->is_equal);
	ck_assert(!find("align", "processes")->is_equal);
	sw_beside_add(&beside, "page faults", SW_BESIDE_COUNT, 100, 120);
	ck_assert(find(NULL, "page faults")->is_equal);
	sw_beside_add(&beside, "throttled", SW_BESIDE_USEC, NAN, NAN);
	ck_assert_ptr_null(find(NULL, "throttled"));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("beside");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, one_run_beside_another);
	tcase_add_test(tests, unknown_is_not_absent);
	tcase_add_test(tests, sets_have_medians_and_a_past_its_range);
	tcase_add_test(tests, texts_of_sets);
	tcase_add_test(tests, small_values_are_alike);
	return run_tests("beside", tests, NULL);
}

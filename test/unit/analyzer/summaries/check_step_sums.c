/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of steps on their nodes, summed up to a job. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/summaries/step_summary.h"
#include "common/units.h"
#include "test/run_tests.h"

enum { ROWS_MAX = 8 };

static struct sw_step_summary rows[ROWS_MAX];
static size_t count;
static struct sw_run run;

static void setup(void)
{
	count = 0;
}

/* From second start to end of 100 s, with one CPU busy at its peak. */
static struct sw_step_summary *add_row(const char *step, const char *node,
				       double start, double end)
{
	struct sw_step_summary *row = &rows[count++];

	ck_assert_uint_le(count, ROWS_MAX);
	memset(row, 0, sizeof(*row));
	row->step = step;
	row->node = node;
	row->cluster = row->name = "";
	row->job = (struct sw_job_key){ .job_id = 1 };
	row->start = 1000 + start;
	row->end = 1000 + end;
	row->need = SW_MIB;
	row->peak_cores = 1;
	row->requested_cores = 4;
	row->input = NAN;
	return row;
}

static double peak(void)
{
	sw_step_summaries_sum_job(&run, rows, count);
	return run.peak_cores;
}

START_TEST(at_the_same_time)
{
	add_row("batch", "n1", 0, 100)->peak_cores = 0.25;
	add_row("0", "n1", 10, 50)->peak_cores = 2;
	ck_assert_double_eq(peak(), 2.25);
	ck_assert_double_eq(run.need_bytes, 2 * SW_MIB);
	add_row("1", "n1", 20, 30);
	ck_assert_double_eq(peak(), 3.25);
}
END_TEST

START_TEST(one_after_the_other)
{
	add_row("0", "n1", 0, 50)->peak_cores = 2;
	add_row("1", "n1", 50, 100)->peak_cores = 3;
	ck_assert_double_eq(peak(), 3);
	ck_assert_double_eq(run.need_bytes, SW_MIB);
}
END_TEST

START_TEST(on_two_nodes)
{
	add_row("0", "n1", 0, 100)->peak_cores = 2;
	add_row("0", "n2", 0, 100)->peak_cores = 3;
	ck_assert_double_eq(peak(), 5);
	ck_assert_double_eq(run.nodes, 2);
	ck_assert_double_eq(run.need_bytes, SW_MIB);
}
END_TEST

/* Usage limited in this way is no need. */
START_TEST(held_back)
{
	struct sw_step_summary *row = add_row("0", "n1", 0, 100);

	row->throttled = 0.9;
	ck_assert_double_eq(peak(), 1);
	row->throttled = 1.1;
	ck_assert(isnan(peak()));
	row->throttled = 0;
	row->cpu_some = 9;
	ck_assert_double_eq(peak(), 1);
	row->cpu_some = 11;
	ck_assert(isnan(peak()));
	/* Unknown pressure does not count against it. */
	row->cpu_some = row->throttled = NAN;
	ck_assert_double_eq(peak(), 1);
}
END_TEST

START_TEST(not_known_of_one)
{
	add_row("0", "n1", 0, 50);
	add_row("1", "n1", 50, 100)->peak_cores = NAN;
	ck_assert(isnan(peak()));
	count = 0;
	add_row("0", "n1", 0, 50);
	add_row("extern", "n1", 0, 100)->peak_cores = NAN;
	ck_assert_double_eq(peak(), 1);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("step_sums");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, at_the_same_time);
	tcase_add_test(tcase, one_after_the_other);
	tcase_add_test(tcase, on_two_nodes);
	tcase_add_test(tcase, held_back);
	tcase_add_test(tcase, not_known_of_one);
	return run_tests("step_sums", tcase, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view's GPUs: owners of rows, the step's own share, and effects of gaps in
 * the rows.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/job/view_sum.h"
#include "analyzer/view/view.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

static char profile[] = "/tmp/check_gpu_view.XXXXXX";

/* Step 0 runs from 1000 to 1100 s, step 1 from 1000 to 1040 s. */
#define STEPS \
	"table steps step recorder\ncolumns step start_usec\n" \
	"row 0 1000000000\nrow 1 1000000000\n" \
	"table summary step recorder\ncolumns step end_usec exit_code\n" \
	"row 0 1100000000 0\nrow 1 1040000000 0\n"

/* The node's rows have the key of step 0, as the recorder may write them. */
#define GPU \
	"table series.gpu node nvml\n" \
	"columns time_usec step subject utilization.gpu energy.total " \
	"xid.count clocks.event_reasons\n"

#define OWN \
	"table series.gpu_process step nvml\n" \
	"columns time_usec step subject processes memory.used " \
	"utilization.sm\n"

static struct sw_reader *reader;
static struct sw_view view;

static void open_view(const char *text, uint64_t step)
{
	struct sw_error error;

	ck_assert_msg(text_profile_write_text(text, profile, true,
					      &error) == 0, "%s", error.text);
	reader = sw_reader_open(profile, &error);
	ck_assert_msg(reader != NULL, "%s", error.text);
	ck_assert_msg(sw_view_init(&view, reader, step, &error) == 0, "%s",
		      error.text);
}

static void close_view(void)
{
	sw_view_fini(&view);
	sw_reader_close(reader);
}

#define ROWS \
	"row 1000000000 0 0 0 100 5 0\nrow 1000000000 0 3 50 - - -\n" \
	"row 1020000000 0 0 100 150 5 64\nrow 1020000000 0 3 50 - - -\n" \
	"row 1040000000 0 0 0 170 6 65\n" \
	"row 1100000000 0 0 20 400 9 0\n"

START_TEST(means_are_by_time)
{
	open_view(STEPS GPU ROWS, 0);
	ck_assert_uint_eq(view.gpu_count, 2);
	/* (20 s x 100 + 20 s x 0 + 60 s x 20) / 100 s */
	ck_assert_double_eq_tol(view.gpus[0].busy_ratio, 0.32, 1e-9);
	ck_assert_double_eq_tol(view.gpus[1].busy_ratio, 0.50, 1e-9);
	ck_assert_uint_eq(view.gpus[0].energy_mj, 300);
	ck_assert(sw_is_missing(view.gpus[1].energy_mj));
	ck_assert_uint_eq(view.gpus[0].xids, 4);
	/* Hot for 20 s; idle clocks are no reason. */
	ck_assert_double_eq_tol(view.gpus[0].slowed_ratio, 0.2, 1e-9);
	ck_assert(isnan(view.gpus[1].slowed_ratio));
	ck_assert(!view.gpus[0].is_used);
	ck_assert(isnan(view.gpus[0].own_busy_ratio));
	close_view();
}
END_TEST

/* Rows written with another step, limited to this step's time. */
START_TEST(only_while_it_ran)
{
	open_view(STEPS GPU ROWS, 1);
	ck_assert_uint_eq(view.gpu_count, 2);
	ck_assert_double_eq_tol(view.gpus[0].busy_ratio, 0.50, 1e-9);
	ck_assert_uint_eq(view.gpus[0].energy_mj, 70);
	ck_assert_uint_eq(view.gpus[0].xids, 1);
	ck_assert(sw_view_has(&view, "series.gpu", "utilization.gpu"));
	ck_assert(!sw_view_has(&view, "series.gpu_process", "processes"));
	close_view();
}
END_TEST

START_TEST(own_processes)
{
	static const char text[] = STEPS GPU ROWS OWN
		"row 1000000000 0 0 1 1000 10\nrow 1020000000 0 0 2 3000 -\n"
		"row 1040000000 0 0 2 2000 30\nrow 1040000000 1 3 1 70 5\n";

	open_view(text, 0);
	ck_assert(view.gpus[0].is_used);
	ck_assert(!view.gpus[1].is_used);
	ck_assert_uint_eq(view.gpus[0].processes, 2);
	ck_assert_uint_eq(view.gpus[0].own_memory_bytes, 3000);
	ck_assert_double_eq_tol(view.gpus[0].own_busy_ratio, 0.30, 1e-9);
	close_view();
	open_view(text, 1);
	ck_assert(!view.gpus[0].is_used);
	ck_assert(view.gpus[1].is_used);
	ck_assert_uint_eq(view.gpus[1].own_memory_bytes, 70);
	close_view();
}
END_TEST

/* A recorder that was stopped for an hour has no data on it. */
START_TEST(gaps_count_for_nothing)
{
	open_view("table steps step recorder\ncolumns step start_usec\n"
		  "row 0 1000000000\n"
		  GPU
		  "row 1000000000 0 0 0 - - -\nrow 1010000000 0 0 100 - - -\n"
		  "row 4610000000 0 0 100 - - -\n"
		  "row 4620000000 0 0 0 - - -\n", 0);
	ck_assert_double_eq_tol(view.gpus[0].busy_ratio, 0.50, 1e-9);
	close_view();
}
END_TEST

START_TEST(hostile_names)
{
	open_view(STEPS GPU ROWS
		  "table subjects step recorder\n"
		  "columns time_usec step source subject kind name detail\n"
		  "row 1000000000 0 gpu 0 mig \"GPU 0 MIG 1\" \"A, B, "
		  "00000000:17:00.0, MIG-x\"\n"
		  "row 1000000000 0 gpu 3 gpu - \",\"\n"
		  "row 1000000000 0 gpu 9 gpu nobody nothing\n", 0);
	ck_assert(view.gpus[0].is_mig);
	ck_assert_str_eq(view.gpus[0].name, "GPU 0 MIG 1");
	ck_assert_str_eq(view.gpus[0].model, "A, B");
	ck_assert_str_eq(view.gpus[0].uuid, "MIG-x");
	ck_assert_ptr_null(view.gpus[1].name);
	ck_assert_str_eq(view.gpus[1].model, "");
	ck_assert_str_eq(view.gpus[1].uuid, "");
	close_view();
}
END_TEST

#define GIVEN \
	"table steps step recorder\n" \
	"columns step start_usec step_id gpu_count gpu_list\n"

/* Views of steps with keys from 0 on; their sum. */
static void sum_steps(const char *text, size_t count, enum sw_sum how)
{
	const struct sw_view *views[4];
	struct sw_view steps[4];
	struct sw_error error;
	size_t i;

	open_view(text, 0);
	sw_view_fini(&view);
	for (i = 0; i < count; i++) {
		ck_assert_int_eq(sw_view_init(&steps[i], reader, i, &error),
				 0);
		views[i] = &steps[i];
	}
	ck_assert_int_eq(sw_view_sum(&view, views, count, how, &error), 0);
	for (i = 0; i < count; i++)
		sw_view_fini(&steps[i]);
}

static const struct {
	const char *rows;
	size_t count;
	enum sw_sum how;
	uint64_t given;
} given_cases[] = {
	{ "row 0 1 batch 3 0,1,3\nrow 1 2 0 1 0\nrow 2 3 1 2 1,3\n",
	  3, SW_SUM_STEPS, 3 },
	/* Not more than the batch script was assigned. */
	{ "row 0 1 0 2 0,1\nrow 1 2 batch 2 2,3\n", 2, SW_SUM_STEPS,
	  2 },
	{ "row 0 1 batch - -\nrow 1 2 0 - -\n", 2, SW_SUM_STEPS,
	  SW_MISSING },
	/* On another node: different ones for each step, or the same. */
	{ "row 0 1 0 1 0\nrow 1 2 1 2 1,3\n", 2, SW_SUM_STEPS, 3 },
	{ "row 0 1 0 2 0,1\nrow 1 2 1 2 0,1\n", 2, SW_SUM_STEPS, 2 },
	{ "row 0 1 0 2 -\nrow 1 2 1 1 -\n", 2, SW_SUM_STEPS, 2 },
	{ "row 0 1 0 2 0,x\nrow 1 2 1 1 64\n", 2, SW_SUM_STEPS, 2 },
	/* Other nodes have other GPUs with the same numbers. */
	{ "row 0 1 0 2 0,1\nrow 1 2 0 2 0,1\nrow 2 3 0 - -\n", 3,
	  SW_SUM_NODES, 4 },
};

START_TEST(given)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s%s", GIVEN, given_cases[_i].rows);
	sum_steps(text, given_cases[_i].count, given_cases[_i].how);
	ck_assert_uint_eq(view.allocated_gpus, given_cases[_i].given);
	close_view();
}
END_TEST

static int run_suite(void)
{
	TCase *tcase = tcase_create("gpus");

	tcase_add_test(tcase, means_are_by_time);
	tcase_add_test(tcase, only_while_it_ran);
	tcase_add_test(tcase, own_processes);
	tcase_add_test(tcase, gaps_count_for_nothing);
	tcase_add_test(tcase, hostile_names);
	tcase_add_loop_test(tcase, given, 0,
			    sizeof(given_cases) / sizeof(given_cases[0]));
	return run_tests("gpu_view", tcase, NULL);
}

int main(void)
{
	int file = mkstemp(profile), failed;

	if (file < 0)
		return EXIT_FAILURE;
	close(file);
	failed = run_suite();
	unlink(profile);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

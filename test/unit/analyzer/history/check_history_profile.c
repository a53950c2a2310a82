/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Need of a recorded run: never less than what only need explains. */
#include <check.h>
#include <math.h>

#include "analyzer/history/history_profile.h"
#include "analyzer/view/view_internal.h"
#include "common/units.h"
#include "test/run_tests.h"

static struct sw_view view;
static struct sw_run run;

static void set_up(void)
{
	view = (struct sw_view){
		.state = SW_STATE_COMPLETED,
		.slurm.limit_realtime_usec = SW_MISSING,
	};
	sw_fields_clear(&view.memory, sw_memory_fields);
	view.memory.limit_bytes = 150 * SW_MIB;
	view.memory.requested_bytes = 150 * SW_MIB;
}

static void measure(uint64_t low_mib, uint64_t peak_mib, uint64_t cache_mib)
{
	view.memory.need_bytes = low_mib * SW_MIB;
	view.memory.need_upper_bytes = peak_mib * SW_MIB;
	view.memory.peak_bytes = peak_mib * SW_MIB;
	view.memory.cache_bytes = cache_mib * SW_MIB;
	sw_run_of_view(&run, &view);
}

#define ck_assert_needs(mib) \
	ck_assert_double_eq(run.need_bytes, (double)((mib) * SW_MIB))

START_TEST(test_peak_between_samples)
{
	measure(4, 85, 0);
	ck_assert_needs(85);
	ck_assert(!run.is_lower_bound);
}
END_TEST

START_TEST(test_page_cache)
{
	measure(20, 120, 100);
	ck_assert_needs(20);
	ck_assert_double_eq(run.need_upper_bytes, 120.0 * SW_MIB);
	measure(20, 120, 70);
	ck_assert_needs(50);
	view.memory.cache_bytes = SW_MISSING;
	sw_run_of_view(&run, &view);
	ck_assert_needs(120);
}
END_TEST

START_TEST(test_one_end)
{
	measure(20, 120, 0);
	view.memory.need_upper_bytes = SW_MISSING;
	sw_run_of_view(&run, &view);
	/* The measured value counts, even if there may have been more. */
	ck_assert_needs(120);
	view.memory.peak_bytes = SW_MISSING;
	sw_run_of_view(&run, &view);
	ck_assert_needs(20);
}
END_TEST

/* Page cache explains the gap, but a part of it was mapped. */
START_TEST(test_mapped)
{
	view.memory.floor_bytes = 90 * SW_MIB;
	measure(20, 120, 100);
	ck_assert_needs(90);
	measure(20, 120, 20);
	ck_assert_needs(100);
}
END_TEST

/* CPU use limited by others, a quota or a binding is no need. */
START_TEST(test_held_back)
{
	view.cpu.used_usec = 18 * SW_USEC_PER_SEC;
	view.cpu.allocated_cores = view.cpu.peak_cores = 0.3;
	measure(20, 20, 0);
	ck_assert_double_eq(run.peak_cores, 0.3);
	view.cpu.is_constrained = true;
	view.cpu.demand_peak_cores = 0.9;
	measure(20, 20, 0);
	ck_assert_double_eq(run.peak_cores, 0.3);
	view.cpu.demand_peak_cores = 2;
	measure(20, 20, 0);
	ck_assert(isnan(run.peak_cores));
	view.cpu.demand_peak_cores = NAN;
	measure(20, 20, 0);
	ck_assert(isnan(run.peak_cores));
	ck_assert(!run.has_busy);
	ck_assert(isnan(run.cpu_share));
	ck_assert_double_eq(run.used_core_seconds, 18);
}
END_TEST

/* Unobserved time is not counted as waiting. */
START_TEST(test_unseen)
{
	view.limits.usec[SW_LIMIT_CPU] = 20;
	view.limits.usec[SW_LIMIT_SLEEP] = 10;
	view.limits.usec[SW_LIMIT_UNSEEN] = 70;
	measure(20, 20, 0);
	ck_assert_double_eq_tol(run.waiting_share, 0.1, 1e-9);
}
END_TEST

/* "-n 2" without srun: the script's step has 1 task, the job requested 2. */
START_TEST(test_requested_tasks)
{
	struct sw_job_step step = { .node_count = 0 };
	struct sw_node node = { .step_count = 0 };
	struct sw_job job = {
		.nodes = &node,
		.node_count = 1,
		.node_expected = 1,
		.steps = &step,
		.step_count = 1,
	};
	struct sw_profile_run whole;

	step.view = view;
	step.view.step_id = "batch";
	step.view.slurm.task_count = 1;
	job.total = step.view;
	job.total.slurm.job_task_count = 2;
	sw_profile_run(&whole, &job, NULL, NULL);
	ck_assert_double_eq(whole.row.run.tasks, 2);
	sw_profile_run(&whole, &job, &step, NULL);
	ck_assert_double_eq(whole.row.run.tasks, 1);
	job.total.slurm.job_task_count = SW_MISSING;
	sw_profile_run(&whole, &job, NULL, NULL);
	ck_assert_double_eq(whole.row.run.tasks, 1);
}
END_TEST

START_TEST(test_killed)
{
	view.memory.oom_kills = 1;
	measure(22, 149, 40);
	ck_assert_needs(150);
	measure(22, 151, 0);
	ck_assert_needs(150);
	ck_assert(run.is_lower_bound);
	ck_assert_int_eq(run.state, SW_RUN_OUT_OF_MEMORY);
}
END_TEST

/* The node was full, not the job's limit reached. */
START_TEST(test_killed_below_limit)
{
	view.memory.oom_kills = 1;
	measure(22, 90, 40);
	ck_assert_needs(50);
	view.memory.limit_bytes = SW_MISSING;
	sw_run_of_view(&run, &view);
	ck_assert_needs(50);
	ck_assert(run.is_lower_bound);
}
END_TEST

int main(void)
{
	TCase *memory = tcase_create("memory");

	tcase_add_checked_fixture(memory, set_up, NULL);
	tcase_add_test(memory, test_peak_between_samples);
	tcase_add_test(memory, test_unseen);
	tcase_add_test(memory, test_page_cache);
	tcase_add_test(memory, test_one_end);
	tcase_add_test(memory, test_mapped);
	tcase_add_test(memory, test_held_back);
	tcase_add_test(memory, test_requested_tasks);
	tcase_add_test(memory, test_killed);
	tcase_add_test(memory, test_killed_below_limit);
	return run_tests("history of profiles", memory, NULL);
}

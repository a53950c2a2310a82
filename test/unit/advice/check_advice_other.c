/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice on cores, GPUs, tasks, nodes and node types.  The expected numbers are
 * derived in the comments.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "advice/advisors.h"
#include "advice/node_kinds.h"
#include "advice/parallel.h"
#include "advice/whole.h"
#include "test/run_tests.h"

enum { RUNS_MAX = 300 };

/* Indices into sw_busy_cores. */
enum { AT_1 = 1, AT_4 = 4, AT_8 = 6, AT_16 = 8, AT_32 = 10 };

static struct sw_run items[RUNS_MAX];
static struct sw_runs runs = { items, 0 };
static struct sw_suggestion suggestion;
static const struct sw_query query = {
	.input_bytes = NAN, .requested_bytes = NAN, .start_seconds = NAN,
};
static struct sw_policy policy;

static void setup(void)
{
	runs.count = 0;
	policy = sw_policy_default;
}

static struct sw_run *add_run(void)
{
	struct sw_run *run = &items[runs.count++];

	ck_assert(runs.count <= RUNS_MAX);
	*run = sw_run_unknown;
	run->state = SW_RUN_COMPLETED;
	run->elapsed_seconds = 3600;
	run->requested_cores = 32;
	run->nodes = 1;
	run->tasks = 1;
	return run;
}

/* An hour: most of it on one core, the rest on many. */
static struct sw_run *add_burst(size_t level, double seconds)
{
	struct sw_run *run = add_run();

	run->has_busy = true;
	run->busy_seconds[AT_1] = 3600 - seconds;
	run->busy_seconds[level] = seconds;
	run->peak_cores = sw_busy_cores[level];
	run->used_core_seconds = 3600 - seconds +
		sw_busy_cores[level] * seconds;
	return run;
}

static void ask(const struct sw_advisor *advisor)
{
	ck_assert_int_eq(advisor->advise(&runs, &query, &policy, &suggestion),
			 0);
	ck_assert_int_eq(suggestion.resource, advisor->resource);
	ck_assert(*suggestion.why);
	ck_assert(!suggestion.is_withheld || isnan(suggestion.suggested));
}

/*
 * 3000 s with 1 and 600 s with 16 busy: with 8 cores 3000 + 600 * 2 = 4200,
 * with 4 3000 + 2400 = 5400; at most 10 % longer needs 600 * 16 / c <= 960.
 */
START_TEST(phases_take_longer)
{
	struct sw_parallel parallel;

	ck_assert(sw_parallel_init(&parallel, add_burst(AT_16, 600)));
	ck_assert_double_eq_tol(sw_parallel_seconds(&parallel, 32), 3600,
				1e-9);
	ck_assert_double_eq_tol(sw_parallel_seconds(&parallel, 16), 3600,
				1e-9);
	ck_assert_double_eq_tol(sw_parallel_seconds(&parallel, 8), 4200, 1e-9);
	ck_assert_double_eq_tol(sw_parallel_seconds(&parallel, 4), 5400, 1e-9);
	ck_assert_double_eq(sw_parallel_cores(&parallel, 0.10), 10);
	ck_assert_double_eq(sw_parallel_cores(&parallel, 0), 16);
}
END_TEST

/* A false peak must not prevent the end of the search. */
START_TEST(more_cores_than_can_be_counted)
{
	struct sw_parallel parallel = {
		.busy = { 1, 1e300 },
		.seconds = { 0, 60 },
		.total_seconds = 60,
	};

	for (; parallel.busy[1] > 0x1p50; parallel.busy[1] /= 1.01) {
		ck_assert_double_ge(sw_parallel_cores(&parallel, 0.02), 0x1p49);
		ck_assert_double_ge(sw_parallel_cores(&parallel, 0), 0x1p49);
	}
}
END_TEST

/*
 * Level 8 to 12 for an hour and 9 core-hours used: 9 were busy.  With unknown
 * usage: 12, but not above the peak or the number of cores.
 */
START_TEST(levels_are_narrowed)
{
	struct sw_run *run = add_run();
	struct sw_parallel parallel;

	run->has_busy = true;
	run->busy_seconds[AT_8 + 1] = 3600;
	run->used_core_seconds = 9 * 3600;
	ck_assert(sw_parallel_init(&parallel, run));
	ck_assert_double_eq(sw_parallel_cores(&parallel, 0), 9);
	run->used_core_seconds = NAN;
	ck_assert(sw_parallel_init(&parallel, run));
	ck_assert_double_eq(sw_parallel_cores(&parallel, 0), 12);
	run->peak_cores = 10.5;
	ck_assert(sw_parallel_init(&parallel, run));
	ck_assert_double_eq(sw_parallel_cores(&parallel, 0), 11);
	run->requested_cores = 10;
	ck_assert(sw_parallel_init(&parallel, run));
	ck_assert_double_eq(sw_parallel_cores(&parallel, 0), 10);
	run->busy_seconds[AT_8 + 1] = 0;
	ck_assert(!sw_parallel_init(&parallel, run));
	run->busy_seconds[AT_8 + 1] = NAN;
	ck_assert(!sw_parallel_init(&parallel, run));
}
END_TEST

/* Ranks of five sorted values: 1/6 above the largest, 2/6 above the next. */
START_TEST(ranks_have_a_risk)
{
	double values[60] = { 1, 2, 3, 4, 5 };
	struct sw_rank rank;

	rank = sw_rank_choose(values, 5, SW_RISK_LOW);
	ck_assert_double_eq(rank.value, 5);
	ck_assert_double_eq_tol(rank.risk, 1.0 / 6, 1e-12);
	rank = sw_rank_choose(values, 5, SW_RISK_HIGH);
	ck_assert_double_eq(rank.value, 5);
	for (size_t i = 0; i < 59; i++)
		values[i] = (double)i + 1;
	/* 6 of 60 are 10 %, 3 are 5 %: the 54th and the 57th of 59 */
	rank = sw_rank_choose(values, 59, SW_RISK_HIGH);
	ck_assert_double_eq(rank.value, 54);
	ck_assert_double_eq_tol(rank.risk, 0.1, 1e-12);
	rank = sw_rank_choose(values, 59, SW_RISK_MEDIUM);
	ck_assert_double_eq(rank.value, 57);
	ck_assert_double_eq(sw_rank_choose(values, 59, SW_RISK_LOW).value, 59);
	ck_assert_double_nan(sw_rank_choose(values, 0, SW_RISK_LOW).value);
}
END_TEST

static TCase *model_case(void)
{
	TCase *tcase = tcase_create("models");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, phases_take_longer);
	tcase_add_test(tcase, more_cores_than_can_be_counted);
	tcase_add_test(tcase, levels_are_narrowed);
	tcase_add_test(tcase, ranks_have_a_risk);
	return tcase;
}

/*
 * The mean is 3.5; yet 4 cores would make 5400 s of 3600 s.  At most 2 %
 * longer: 600 * 16 / c <= 672, so 15.  Saved in the backtest of 2 of 5 runs:
 * 32 h - 15 * (3000 + 640) / 3600 h, each.
 */
START_TEST(burst_keeps_its_cores)
{
	policy.core_hour_price = 0.5;
	for (size_t i = 0; i < 5; i++)
		add_burst(AT_16, 600);
	ask(&sw_advisor_cores);
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_eq(suggestion.current, 32);
	ck_assert_double_eq(suggestion.suggested, 15);
	ck_assert_double_eq_tol(suggestion.risk, 1.0 / 6, 1e-12);
	ck_assert_uint_eq(suggestion.backtest.of, 2);
	ck_assert_uint_eq(suggestion.backtest.fits, 2);
	ck_assert_double_eq_tol(suggestion.backtest.saved_core_hours,
				2 * (32 - 15 * 3640.0 / 3600), 1e-9);
	ck_assert_double_eq_tol(suggestion.backtest.saved_cost,
				32 - 15 * 3640.0 / 3600, 1e-9);
	ck_assert_double_eq(suggestion.retries[0], 32);
	ck_assert_ptr_nonnull(strstr(suggestion.why,
				     "with 15 they would take 1.1 % longer"));
	/* 7 cores: 3000 + 600 * 16 / 7 = 4371 */
	ck_assert_ptr_nonnull(strstr(suggestion.why,
				     "with 7 they would take 21 % longer"));
	ck_assert_ptr_nonnull(strstr(suggestion.why, "up to 16.0 were busy"));
}
END_TEST

/* The run that needs most decides, unless a risk is taken. */
START_TEST(runs_are_combined)
{
	for (size_t i = 0; i < 39; i++)
		add_burst(AT_4, 1800);
	add_burst(AT_16, 1800);
	ask(&sw_advisor_cores);
	ck_assert_double_eq(suggestion.suggested, 16);
	policy.risk = SW_RISK_HIGH;
	ask(&sw_advisor_cores);
	ck_assert_double_eq(suggestion.suggested, 4);
	ck_assert_double_eq_tol(suggestion.risk, 2.0 / 41, 1e-12);
	ck_assert_uint_eq(suggestion.backtest.of, 37);
	ck_assert_uint_eq(suggestion.backtest.fits, 36);
}
END_TEST

START_TEST(mean_alone_is_withheld)
{
	for (size_t i = 0; i < 5; i++)
		add_run()->used_core_seconds = 2 * 3600;
	ask(&sw_advisor_cores);
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.remedy, "stepwell"));
	for (size_t i = 0; i < 5; i++)
		items[i].peak_cores = 5.5;
	ask(&sw_advisor_cores);
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_eq(suggestion.suggested, 6);
	/* A slightly late clock reading must not add a CPU. */
	for (size_t i = 0; i < 5; i++)
		items[i].peak_cores = 5.05;
	ask(&sw_advisor_cores);
	ck_assert_double_eq(suggestion.suggested, 5);
}
END_TEST

/* No slowdown is not reported as 0 %. */
START_TEST(no_longer_is_said_so)
{
	for (size_t i = 0; i < 5; i++)
		add_burst(AT_1, 1);
	ask(&sw_advisor_cores);
	ck_assert(!suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why,
				     "with 1 they would take no longer and use "
				     "3.1 % of the core-hours"));
}
END_TEST

/* Twelve were recorded: the number of runs is not the reason. */
START_TEST(starved_runs_are_told)
{
	for (size_t i = 0; i < 12; i++) {
		struct sw_run *run = add_run();

		run->used_core_seconds = 1800;
		run->waiting_share = 0;
	}
	ask(&sw_advisor_cores);
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "12 of 12 runs waited for "
				     "CPUs that others used"));
}
END_TEST

START_TEST(failed_runs_do_not_count)
{
	for (size_t i = 0; i < 5; i++)
		add_burst(AT_4, 1800)->state = SW_RUN_FAILED;
	ask(&sw_advisor_cores);
	ck_assert(suggestion.is_withheld);
	add_burst(AT_8, 1800);
	add_burst(AT_8, 1800);
	ask(&sw_advisor_cores);
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "needs 3 successful runs recorded by stepwell, has 2 of 7"));
	add_burst(AT_8, 1800);
	ask(&sw_advisor_cores);
	ck_assert_double_eq(suggestion.suggested, 8);
	runs.count = 0;
	ask(&sw_advisor_cores);
	ck_assert(suggestion.is_withheld);
}
END_TEST

START_TEST(growing_need_is_withheld)
{
	for (size_t i = 0; i < 16; i++)
		add_burst(AT_1 + i / 2, 3600)->requested_cores = 64;
	ask(&sw_advisor_cores);
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "drift"));
}
END_TEST

START_TEST(cores_fit_tasks)
{
	for (size_t i = 0; i < 4; i++)
		add_burst(AT_8 + 1, 3600)->tasks = 8;
	ask(&sw_advisor_cores);
	ck_assert_double_eq(suggestion.suggested, 16);
	runs.count = 0;
	for (size_t i = 0; i < 4; i++)
		add_burst(AT_32, 3600);
	ask(&sw_advisor_cores);
	ck_assert_double_eq(suggestion.suggested, suggestion.current);
	ck_assert_uint_eq(suggestion.retry_count, 0);
}
END_TEST

/* Fewer cores are cheaper, but the bottleneck is a different one. */
START_TEST(io_is_named)
{
	for (size_t i = 0; i < 4; i++)
		add_burst(AT_4, 600)->io_share = 0.7;
	ask(&sw_advisor_cores);
	ck_assert_double_eq(suggestion.suggested, 4);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "I/O held them up for "
				     "70 % of their time"));
	items[0].io_share = 0;
	items[1].io_share = 0.4;
	ask(&sw_advisor_cores);
	ck_assert_ptr_null(strstr(suggestion.why, "I/O"));
	items[0].io_share = NAN;
	ask(&sw_advisor_cores);
	ck_assert_ptr_null(strstr(suggestion.why, "I/O"));
}
END_TEST

static TCase *cores_case(void)
{
	TCase *tcase = tcase_create("cores");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, burst_keeps_its_cores);
	tcase_add_test(tcase, runs_are_combined);
	tcase_add_test(tcase, mean_alone_is_withheld);
	tcase_add_test(tcase, no_longer_is_said_so);
	tcase_add_test(tcase, starved_runs_are_told);
	tcase_add_test(tcase, failed_runs_do_not_count);
	tcase_add_test(tcase, growing_need_is_withheld);
	tcase_add_test(tcase, cores_fit_tasks);
	tcase_add_test(tcase, io_is_named);
	return tcase;
}

START_TEST(idle_gpus_are_given_back)
{
	for (size_t i = 0; i < 5; i++) {
		struct sw_run *run = add_run();

		run->requested_gpus = 4;
		run->used_gpus = i == 1 ? 2 : 1;
		run->gpu_busy_ratio = 0.08;
		run->gpu_memory_bytes = 0x1p33;
	}
	policy.gpu_hour_price = 2;
	ask(&sw_advisor_gpus);
	ck_assert_double_eq(suggestion.suggested, 2);
	ck_assert_uint_eq(suggestion.backtest.of, 2);
	ck_assert_uint_eq(suggestion.backtest.fits, 2);
	ck_assert_double_eq(suggestion.backtest.saved_gpu_hours, 4);
	ck_assert_double_eq(suggestion.backtest.saved_cost, 8);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "8.0 %"));
	ck_assert_ptr_nonnull(strstr(suggestion.why, "8.0 GiB"));
	for (size_t i = 0; i < 5; i++)
		items[i].used_gpus = 0;
	ask(&sw_advisor_gpus);
	ck_assert_double_eq(suggestion.suggested, 0);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "runs used a GPU"));
	items[0].used_gpus = items[1].used_gpus = items[2].used_gpus = NAN;
	ask(&sw_advisor_gpus);
	ck_assert(suggestion.is_withheld);
	items[4].requested_gpus = NAN;
	ask(&sw_advisor_gpus);
	ck_assert(suggestion.is_withheld);
}
END_TEST

/* 4 nodes of 32 cores and 100 GiB: 40 busy are 1.25, 4 * 60 of 90 are 2.7. */
START_TEST(work_fits_on_fewer_nodes)
{
	for (size_t i = 0; i < 4; i++) {
		struct sw_run *run = add_run();

		run->nodes = 4;
		run->requested_cores = 128;
		run->peak_cores = 40;
		run->requested_bytes = 100 * 0x1p30;
		run->need_bytes = 60 * 0x1p30;
	}
	ask(&sw_advisor_nodes);
	ck_assert_double_eq(suggestion.suggested, 3);
	ck_assert_double_eq(suggestion.backtest.saved_core_hours, 32);
	for (size_t i = 0; i < 4; i++)
		items[i].need_bytes = 10 * 0x1p30;
	ask(&sw_advisor_nodes);
	ck_assert_double_eq(suggestion.suggested, 2);
	items[3].is_lower_bound = items[2].is_lower_bound = true;
	ask(&sw_advisor_nodes);
	ck_assert(suggestion.is_withheld);
	items[3].nodes = 1;
	ask(&sw_advisor_nodes);
	ck_assert(suggestion.is_withheld);
	ck_assert_str_eq(suggestion.why, "it runs on one node");
}
END_TEST

START_TEST(tasks_that_wait_their_turn)
{
	for (size_t i = 0; i < 4; i++) {
		struct sw_run *run = add_run();

		run->requested_cores = run->tasks = 16;
		run->peak_cores = 4;
		run->slowest_task_ratio = 2;
	}
	ask(&sw_advisor_tasks);
	ck_assert_double_eq(suggestion.suggested, 4);
	ck_assert_double_eq(suggestion.backtest.saved_core_hours, 12);
	for (size_t i = 0; i < 4; i++)
		items[i].peak_cores = 16;
	/* Evenly distributed, half of the time. */
	ask(&sw_advisor_tasks);
	ck_assert(suggestion.is_withheld);
	ck_assert_ptr_nonnull(strstr(suggestion.why, "2.00 times"));
	ck_assert_ptr_nonnull(strstr(suggestion.why, "50 % sooner"));
	items[0].slowest_task_ratio = items[1].slowest_task_ratio = 1;
	items[2].slowest_task_ratio = 1;
	ask(&sw_advisor_tasks);
	ck_assert(!suggestion.is_withheld);
	ck_assert_double_eq(suggestion.suggested, 16);
	items[3].requested_cores = 64;
	ask(&sw_advisor_tasks);
	ck_assert(suggestion.is_withheld);
	items[3].tasks = 1;
	ask(&sw_advisor_tasks);
	ck_assert(suggestion.is_withheld);
}
END_TEST

static TCase *others_case(void)
{
	TCase *tcase = tcase_create("GPUs, nodes and tasks");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, idle_gpus_are_given_back);
	tcase_add_test(tcase, work_fits_on_fewer_nodes);
	tcase_add_test(tcase, tasks_that_wait_their_turn);
	return tcase;
}

enum { OLD, LARGE, SMALL, UNPRICED, KINDS };

static const struct sw_node_kind kinds[KINDS] = {
	[OLD] = { "old", 32, 256 * 0x1p30, NAN, 1e9, 1e9, 2, "2026-01-08" },
	[LARGE] = { "large", 64, 512 * 0x1p30, 4, NAN, NAN, 4, "2026-01-08" },
	[SMALL] = { "small", 16, 32 * 0x1p30, NAN, NAN, NAN, 0.8,
		    "2026-01-08" },
	[UNPRICED] = { "unpriced", 16, 256 * 0x1p30, NAN, NAN, NAN, NAN, "" },
};

/*
 * 8 CPUs and 16 GiB: 8/32 of "old", 8/64 of "large", 16/32 of "small"; so 0.5,
 * 0.5 and 0.4 an hour.
 */
START_TEST(kinds_are_in_the_order_of_their_price)
{
	struct sw_kind_question question = {
		.kinds = kinds, .count = KINDS, .nodes = 2,
		.need = { 8, 16 * 0x1p30, NAN },
	};
	struct sw_kind_choice choices[KINDS];

	sw_node_kinds_choose(&question, choices);
	ck_assert_uint_eq(choices[0].kind, SMALL);
	ck_assert_double_eq(choices[0].share, 0.5);
	ck_assert_double_eq_tol(choices[0].hour_cost, 2 * 0.4, 1e-12);
	/* equals keep their order; kinds that fit without a price come last */
	ck_assert_uint_eq(choices[1].kind, OLD);
	ck_assert_double_eq(choices[1].hour_cost, 1);
	ck_assert_uint_eq(choices[2].kind, LARGE);
	ck_assert_uint_eq(choices[3].kind, UNPRICED);
	ck_assert(choices[3].fits);
	ck_assert_double_nan(choices[3].hour_cost);
	ck_assert_ptr_null(sw_node_kinds_best(choices, KINDS));

	question.is_whole = true;
	sw_node_kinds_choose(&question, choices);
	ck_assert_double_eq(choices[0].share, 1);
	ck_assert_double_eq_tol(choices[0].hour_cost, 1.6, 1e-12);
	ck_assert_uint_eq(choices[1].kind, OLD);
}
END_TEST

START_TEST(kinds_that_do_not_fit_say_why)
{
	struct sw_kind_question question = {
		.kinds = kinds, .count = KINDS, .nodes = NAN,
		.need = { 32, 100 * 0x1p30, NAN },
	};
	struct sw_kind_choice choices[KINDS];

	sw_node_kinds_choose(&question, choices);
	ck_assert_uint_eq(choices[0].kind, OLD);
	ck_assert_uint_eq(choices[1].kind, LARGE);
	ck_assert_str_eq(choices[2].obstacle,
			 "needs 100 GiB of memory, has 32.0 GiB");
	ck_assert_str_eq(choices[3].obstacle, "needs 32 CPUs, has 16");
	ck_assert_double_nan(choices[3].share);
	question.need.gpus = 8;
	sw_node_kinds_choose(&question, choices);
	ck_assert(!choices[0].fits);
	ck_assert_str_eq(choices[0].obstacle, "needs 8 GPUs, has none");
	ck_assert_str_eq(choices[1].obstacle, "needs 8 GPUs, has 4");
	ck_assert(isinf(sw_node_share(&kinds[OLD], &question.need)));
	ck_assert_double_eq(sw_node_share(&kinds[LARGE], &question.need), 2);
}
END_TEST

/* Half an hour on "large" for 4 costs as much as an hour on "old" for 2. */
START_TEST(only_kinds_with_runs_have_a_time)
{
	struct sw_kind_seen seen[KINDS] = {
		[OLD] = { 5, 3600 }, [LARGE] = { 5, 1700 }, [SMALL] = { 4, 1 },
	};
	struct sw_kind_question question = {
		.kinds = kinds, .seen = seen, .count = KINDS,
		.need = { 8, 16 * 0x1p30, NAN }, .is_whole = true,
	};
	struct sw_kind_choice choices[KINDS];
	const struct sw_kind_choice *best;

	sw_node_kinds_choose(&question, choices);
	best = sw_node_kinds_best(choices, KINDS);
	ck_assert_ptr_nonnull(best);
	ck_assert_uint_eq(best->kind, LARGE);
	ck_assert_double_eq_tol(best->run_cost, 4 * 1700.0 / 3600, 1e-12);
	ck_assert_uint_eq(choices[0].kind, SMALL);
	ck_assert_uint_eq(choices[0].runs, 4);
	ck_assert_double_nan(choices[0].seconds);
	ck_assert_double_nan(choices[0].run_cost);
	seen[LARGE].median_seconds = 1900;
	sw_node_kinds_choose(&question, choices);
	ck_assert_uint_eq(sw_node_kinds_best(choices, KINDS)->kind, OLD);
	seen[LARGE].runs = 4;
	sw_node_kinds_choose(&question, choices);
	ck_assert_ptr_null(sw_node_kinds_best(choices, KINDS));
}
END_TEST

static TCase *node_kinds_case(void)
{
	TCase *tcase = tcase_create("kinds of nodes");

	tcase_add_test(tcase, kinds_are_in_the_order_of_their_price);
	tcase_add_test(tcase, kinds_that_do_not_fit_say_why);
	tcase_add_test(tcase, only_kinds_with_runs_have_a_time);
	return tcase;
}

int main(void)
{
	return run_tests("advice on cores and other things", model_case(), cores_case(), others_case(), node_kinds_case(), NULL);
}

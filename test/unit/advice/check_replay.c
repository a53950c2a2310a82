/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accounting of replays: what is queried, learned, wasted and failed.  A
 * scripted method stands for all; the expected numbers are derived in the
 * comments.
 */
#include <check.h>
#include <math.h>

#include "advice/replay.h"
#include "test/run_tests.h"

#define GB 1e9
#define HOUR 3600.0

enum { RUNS_MAX = 64, GROUPS = 2 };

/* Input of the method, and its answers. */
static struct {
	double first, next;		/* NAN: no answer */
	size_t learned[RUNS_MAX];	/* need in MB, in order */
	size_t learned_count;
	size_t known_at[RUNS_MAX];	/* runs learned before its query */
	double input, requested;	/* of the last query */
	unsigned last_attempt;
} script;

static struct sw_replay_run runs[RUNS_MAX];
static size_t run_count;
static struct sw_replay_sum sums[GROUPS];
static struct sw_policy policy;
static struct sw_replay_options options;

static int learn(void *group, struct sw_memory_site *site,
		 const struct sw_run *run)
{
	(void)group;
	(void)site;
	script.learned[script.learned_count++] =
		(size_t)(run->need_bytes / 1e6);
	return 0;
}

static double ask(void *group, const struct sw_asking *asking)
{
	(void)group;
	script.input = asking->query->input_bytes;
	script.requested = asking->query->requested_bytes;
	return script.first;
}

static double again(void *group, const struct sw_asking *asking)
{
	(void)group;
	script.last_attempt = asking->attempt;
	return script.next;
}

static const struct sw_method scripted = {
	.name = "scripted", .title = "", .source = "", .group_size = 1,
	.learns_bounds = true, .learn = learn, .ask = ask, .again = again,
};

static void setup(void)
{
	run_count = 0;
	script.first = script.next = NAN;
	script.learned_count = 0;
	script.last_attempt = 0;
	policy = sw_policy_default;
	policy.cap_bytes = 64 * GB;
	policy.floor_bytes = 1;
	options = (struct sw_replay_options){ .order = SW_REPLAY_ONLINE };
}

/* Without times: in this order. */
static struct sw_run *add_run(double need_gb, double hours)
{
	struct sw_replay_run *item = &runs[run_count++];

	ck_assert_uint_le(run_count, RUNS_MAX);
	*item = (struct sw_replay_run){ sw_run_unknown, 0 };
	item->run.state = SW_RUN_COMPLETED;
	item->run.need_bytes = need_gb * GB;
	item->run.elapsed_seconds = hours * HOUR;
	return &item->run;
}

static void add_timed(double need_gb, double start, double end)
{
	struct sw_run *run = add_run(need_gb, (end - start) / HOUR);

	run->start_seconds = start;
	run->end_seconds = end;
}

/* Also record how many were learned when the run was queried. */
static void seen(void *context, const struct sw_replay_seen *seen)
{
	(void)context;
	script.known_at[seen->index] = script.learned_count;
}

static void replay(void)
{
	ck_assert_int_eq(sw_replay(&scripted, &policy, &options, runs,
				   run_count, sums, GROUPS, seen, NULL), 0);
}

/*
 * Need 3 GB for 2 h; 1 GB, then 2 GB, then doubled to 4 GB.  Failures that take
 * half of the time: (1 + 2) * 2 * 0.5 = 3, and (4 - 3) * 2 = 2.
 */
START_TEST(wastage_is_of_all_attempts)
{
	policy.time_to_failure = 0.5;
	script.first = 1 * GB;
	script.next = 2 * GB;
	add_run(3, 2);
	replay();
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 5, 1e-9);
	ck_assert_double_eq_tol(sums[0].needed_gb_hours, 6, 1e-9);
	ck_assert_double_eq_tol(sums[0].ratio_sum, 4.0 / 3, 1e-9);
	ck_assert_uint_eq(sums[0].failures, 2);
	ck_assert_uint_eq(sums[0].failed_runs, 1);
	ck_assert_uint_eq(sums[0].runs, 1);
	ck_assert_uint_eq(sums[0].retries_exhausted, 0);
	ck_assert_uint_eq(script.last_attempt, 3);
	/* With all of the time: (1 + 2) * 2 + 2. */
	policy.time_to_failure = 1;
	replay();
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 8, 1e-9);
}
END_TEST

/* Just enough does not fail. */
START_TEST(enough_is_enough)
{
	script.first = 3 * GB;
	add_run(3, 1);
	replay();
	ck_assert_uint_eq(sums[0].failures, 0);
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 0, 1e-12);
}
END_TEST

/* 0.5 GB are raised to the floor of 1; 100 GB lowered to the cap of 64. */
START_TEST(bounds_hold)
{
	policy.floor_bytes = GB;
	script.first = 0.5 * GB;
	add_run(0.75, 1);
	replay();
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 0.25, 1e-9);
	script.first = 100 * GB;
	replay();
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 63.25, 1e-9);
}
END_TEST

/*
 * At the cap there are no more attempts: 40, then 64 of 70, and given up, with
 * all of the allocation wasted.  Likewise after the last attempt that is
 * allowed.
 */
START_TEST(some_are_given_up)
{
	script.first = 40 * GB;
	add_run(70, 1);
	replay();
	ck_assert_uint_eq(sums[0].retries_exhausted, 1);
	ck_assert_uint_eq(sums[0].failures, 2);
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 104, 1e-9);
	policy.max_attempts = 2;
	script.first = 1 * GB;
	script.next = 2 * GB;
	replay();
	ck_assert_uint_eq(sums[0].retries_exhausted, 1);
	ck_assert_uint_eq(sums[0].failures, 2);
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 3, 1e-9);
}
END_TEST

/* The user's request, 8 GB; without one the node's 64. */
START_TEST(without_opinion_the_request)
{
	add_run(2, 1)->requested_bytes = 8 * GB;
	replay();
	ck_assert_uint_eq(sums[0].without_suggestion, 1);
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 6, 1e-9);
	ck_assert_double_eq_tol(sums[0].requested_gb_hours, 8, 1e-9);
	runs[0].run.requested_bytes = NAN;
	replay();
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 62, 1e-9);
	ck_assert(isnan(sums[0].requested_gb_hours));
}
END_TEST

/* A run without a time wastes nothing, and can fail. */
START_TEST(no_time_no_waste)
{
	script.first = 1 * GB;
	add_run(2, 1)->elapsed_seconds = NAN;
	replay();
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 0, 1e-12);
	ck_assert_uint_eq(sums[0].failures, 1);
}
END_TEST

/*
 * [0, 10], [5, 20], [20, 30], [21, 22]: at 5 nothing had ended, at 20 the
 * first (not the one that ends then), at 21 two.
 */
START_TEST(only_what_had_ended_is_known)
{
	script.first = 64 * GB;
	add_timed(4, 21, 22);
	add_timed(3, 20, 30);
	add_timed(1, 0, 10);
	add_timed(2, 5, 20);
	replay();
	ck_assert_uint_eq(script.known_at[2], 0);
	ck_assert_uint_eq(script.known_at[3], 0);
	ck_assert_uint_eq(script.known_at[1], 1);
	ck_assert_uint_eq(script.known_at[0], 2);
	ck_assert_uint_eq(script.learned[0], 1000);
	ck_assert_uint_eq(script.learned[1], 2000);
	ck_assert_uint_eq(sums[0].runs, 4);
	/* The first two had no earlier run. */
	options.is_warm_only = true;
	replay();
	ck_assert_uint_eq(sums[0].runs, 2);
}
END_TEST

/* A run of the group has no times: all in the given order, learned at once. */
START_TEST(without_times_in_order)
{
	script.first = 64 * GB;
	add_timed(1, 50, 60);
	add_run(2, 1);
	add_timed(3, 0, 100);
	replay();
	for (size_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(script.known_at[i], i);
		ck_assert_uint_eq(script.learned[i], 1000 * (i + 1));
	}
}
END_TEST

/* A lower bound is learned and not counted, a failed run is neither. */
START_TEST(bounds_are_learned_only)
{
	struct sw_run *run;

	script.first = 64 * GB;
	run = add_run(1, 1);
	run->state = SW_RUN_OUT_OF_MEMORY;
	run->is_lower_bound = true;
	add_run(2, 1)->is_lower_bound = true;
	add_run(3, 1)->state = SW_RUN_FAILED;
	add_run(4, 1)->state = SW_RUN_CANCELLED;
	add_run(NAN, 1);
	add_run(0, 1);
	add_run(5, 1)->state = SW_RUN_UNKNOWN;
	for (size_t i = 0; i < run_count; i++)
		ck_assert(sw_replay_is_counted(&runs[i].run) == (i == 6));
	replay();
	ck_assert_uint_eq(sums[0].runs, 1);
	ck_assert_uint_eq(script.learned_count, 3);
	ck_assert_uint_eq(script.learned[0], 1000);
	ck_assert_uint_eq(script.learned[1], 2000);
	ck_assert_uint_eq(script.learned[2], 5000);
	/* A lower bound does not warm a group: its need is not known. */
	options.is_warm_only = true;
	script.learned_count = 0;
	replay();
	ck_assert_uint_eq(sums[0].runs, 0);
}
END_TEST

START_TEST(input_sizes_can_be_kept_back)
{
	struct sw_run *run = add_run(1, 1);

	script.first = 2 * GB;
	run->input_bytes = 7;
	run->requested_bytes = 9;
	replay();
	ck_assert_double_eq(script.input, 7);
	ck_assert_double_eq(script.requested, 9);
	policy.uses_input = false;
	replay();
	ck_assert(isnan(script.input));
}
END_TEST

/* The memory of a retry reveals that the attempt before it failed. */
START_TEST(a_retry_is_asked_as_the_first_attempt)
{
	struct sw_run *run = add_run(3, 1);

	script.first = 4 * GB;
	run->attempt = 2;
	run->requested_bytes = 4 * GB;
	run->first_requested_bytes = 2 * GB;
	replay();
	ck_assert_double_eq(script.requested, 2 * GB);
	/* The allocated memory stays as it was. */
	ck_assert_double_eq_tol(sums[0].requested_gb_hours, 4, 1e-9);
	run->first_requested_bytes = NAN;
	replay();
	ck_assert_double_eq(script.requested, 4 * GB);
}
END_TEST

START_TEST(groups_are_added_up_apart)
{
	script.first = 4 * GB;
	add_run(3, 1);
	add_run(1, 1);
	runs[1].group = 1;
	replay();
	ck_assert_double_eq_tol(sums[0].wasted_gb_hours, 1, 1e-9);
	ck_assert_double_eq_tol(sums[1].wasted_gb_hours, 3, 1e-9);
}
END_TEST

/*
 * 70 % of 40 runs, 28, are tests; the first of them is queried when 12 are
 * known, the next when 13 are.  Groups of 33 are left out, and so are runs
 * without a time.
 */
START_TEST(protocol_of_sizey)
{
	size_t order[RUNS_MAX];
	size_t i, same = 0;

	options.order = SW_REPLAY_SIZEY;
	options.seed = 1996;
	script.first = 64 * GB;
	for (i = 0; i < 40; i++)
		add_run((double)(i + 1), 1);
	replay();
	ck_assert_uint_eq(sums[0].runs, 28);
	ck_assert_uint_eq(script.learned_count, 40);
	for (i = 0; i < 40; i++) {
		size_t known = script.known_at[i];

		order[i] = script.learned[i];
		/* Queried just before it was learned, and after 12. */
		if (known) {
			ck_assert_uint_ge(known, 12);
			ck_assert_uint_eq(script.learned[known],
					  1000 * (i + 1));
		}
		script.known_at[i] = 0;
	}
	script.learned_count = 0;
	replay();
	for (i = 0; i < 40; i++)
		ck_assert_uint_eq(script.learned[i], order[i]);
	options.seed = 1;
	script.learned_count = 0;
	replay();
	for (i = 0; i < 40; i++)
		same += script.learned[i] == order[i];
	ck_assert_uint_lt(same, 20);

	script.learned_count = 0;
	for (i = 0; i < 7; i++)
		runs[i].run.elapsed_seconds = 0;
	replay();
	ck_assert_uint_eq(sums[0].runs, 0);
	ck_assert_uint_eq(script.learned_count, 0);
}
END_TEST

int main(void)
{
	TCase *one = tcase_create("replay");

	tcase_add_checked_fixture(one, setup, NULL);
	tcase_add_test(one, wastage_is_of_all_attempts);
	tcase_add_test(one, enough_is_enough);
	tcase_add_test(one, bounds_hold);
	tcase_add_test(one, some_are_given_up);
	tcase_add_test(one, without_opinion_the_request);
	tcase_add_test(one, no_time_no_waste);
	tcase_add_test(one, only_what_had_ended_is_known);
	tcase_add_test(one, without_times_in_order);
	tcase_add_test(one, bounds_are_learned_only);
	tcase_add_test(one, input_sizes_can_be_kept_back);
	tcase_add_test(one, a_retry_is_asked_as_the_first_attempt);
	tcase_add_test(one, groups_are_added_up_apart);
	tcase_add_test(one, protocol_of_sizey);
	return run_tests("replay", one, NULL);
}

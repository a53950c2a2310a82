/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for a CPU that grow by a whole sleep are rejected; accepted ones
 * distinguish a busy process from one that pauses.
 */
#include <check.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/bpf/account.h"
#include "test/run_tests.h"

#define SECOND_NSEC 1000000000ull
#define DAY_NSEC    (86400 * SECOND_NSEC)

static struct sw_account account;
static struct sw_followed process;

static void set_up(void)
{
	sw_account_open(&account);
	ck_assert_int_eq(sw_account_add_task(&account), 0);
	process = (struct sw_followed){ .pid = 7, .account = &account };
}

static void tear_down(void)
{
	sw_account_close(&account);
}

/* Sample it, one second after the previous sample. */
static uint64_t look(unsigned threads, uint64_t run_delay_nsec)
{
	const struct sw_snapshot_process seen = {
		.is_there = 1,
		.threads = threads,
		.sums = { .run_delay_nsec = run_delay_nsec },
	};

	sw_account_begin(1);
	sw_account_see(&process, &seen);
	process.looked_at_nsec = SECOND_NSEC;
	return process.sums.run_delay_nsec;
}

static uint64_t end(uint64_t run_delay_nsec)
{
	const struct sw_record_exit record = {
		.head.time_nsec = 2 * SECOND_NSEC,
		.end.file_pages = -1,
		.sums = { .run_delay_nsec = run_delay_nsec },
	};
	struct sw_account_part sum;

	sw_account_bury(&process, &record);
	sw_account_sum(&account, &sum);
	return sum.dead.run_delay_nsec;
}

START_TEST(test_first_look_is_believed)
{
	ck_assert_uint_eq(look(1, 40 * SECOND_NSEC), 40 * SECOND_NSEC);
}
END_TEST

/* 15 s of sleep, counted when it wakes up to exit. */
START_TEST(test_sleep_is_no_wait_at_the_end)
{
	look(1, 100);
	ck_assert_uint_eq(end(15 * SECOND_NSEC), 100 + SECOND_NSEC);
}
END_TEST

/* Three samples of two threads, a second apart; the last one has all waits. */
static uint64_t told_later(unsigned running, uint64_t ran_nsec,
			   uint64_t told_nsec)
{
	struct sw_snapshot_process seen = {
		.is_there = 1,
		.threads = 2,
		.running = running,
	};
	int i;

	for (i = 0; i < 3; i++) {
		sw_account_begin(1);
		sw_account_see(&process, &seen);
		process.looked_at_nsec =
			sw_clock_boottime_usec() * SW_NSEC_PER_USEC -
			SECOND_NSEC;
		seen.sums.runtime_nsec += ran_nsec;
	}
	seen.sums.run_delay_nsec = told_nsec;
	sw_account_begin(1);
	sw_account_see(&process, &seen);
	return process.sums.run_delay_nsec;
}

START_TEST(test_a_wait_longer_than_the_time_between_looks)
{
	/* Two threads, and three seconds. */
	ck_assert_uint_eq(told_later(2, 0, 5 * SECOND_NSEC), 5 * SECOND_NSEC);
}
END_TEST

START_TEST(test_a_sleep_longer_than_the_time_between_looks)
{
	ck_assert_uint_lt(told_later(0, 0, DAY_NSEC), DAY_NSEC);
}
END_TEST

START_TEST(test_who_runs_all_the_time_has_waited_for_none)
{
	ck_assert_uint_lt(told_later(1, SECOND_NSEC, DAY_NSEC), DAY_NSEC);
}
END_TEST

START_TEST(test_end_without_a_look_is_believed)
{
	ck_assert_uint_eq(end(300), 300);
}
END_TEST

START_TEST(test_what_can_be_is_believed)
{
	look(3, 100);
	ck_assert_uint_eq(end(100 + 3 * SECOND_NSEC), 100 + 3 * SECOND_NSEC);
}
END_TEST

/* A rejected growth stays rejected, and later growth is accepted. */
START_TEST(test_growth_after_a_jump_is_believed)
{
	const uint64_t jump_nsec = 1ull << 62;
	uint64_t before_nsec;

	look(1, 0);
	before_nsec = look(1, jump_nsec);
	ck_assert_uint_lt(before_nsec, jump_nsec);
	ck_assert_uint_eq(end(jump_nsec + 5), before_nsec + 5);
}
END_TEST

/* A thread that is about to exit is missed by one sample. */
START_TEST(test_nothing_is_counted_twice)
{
	look(2, 500);
	ck_assert_uint_eq(look(1, 200), 500);
	ck_assert_uint_eq(end(600), 600);
}
END_TEST

/* May it spin, given its run and wait times in a second? */
static bool may_spin(uint64_t ran_msec, uint64_t waited_msec)
{
	const struct sw_snapshot_process before = {
		.is_there = 1,
		.threads = 1,
	}, after = {
		.is_there = 1,
		.threads = 1,
		.sums = {
			.runtime_nsec = ran_msec * 1000000,
			.user_nsec = ran_msec * 800000,
			.system_nsec = ran_msec * 200000,
			.run_delay_nsec = waited_msec * 1000000,
		},
	};

	process = (struct sw_followed){ .pid = 7, .account = &account };
	sw_account_begin(1);
	sw_account_see(&process, &before);
	process.looked_at_nsec =
		sw_clock_boottime_usec() * SW_NSEC_PER_USEC - SECOND_NSEC;
	sw_account_begin(1);
	sw_account_see(&process, &after);
	return process.busy_nsec > 0;
}

START_TEST(test_who_gets_no_cpu_does_not_pause)
{
	ck_assert(may_spin(900, 0));
	ck_assert(may_spin(150, 700));
	/* It sleeps most of the time. */
	ck_assert(!may_spin(20, 5));
	ck_assert(!may_spin(100, 50));
	/* Almost no CPU time that could be spinning. */
	ck_assert(!may_spin(1, 900));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("waits for a CPU");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, test_first_look_is_believed);
	tcase_add_test(tcase, test_sleep_is_no_wait_at_the_end);
	tcase_add_test(tcase, test_a_wait_longer_than_the_time_between_looks);
	tcase_add_test(tcase, test_a_sleep_longer_than_the_time_between_looks);
	tcase_add_test(tcase, test_who_runs_all_the_time_has_waited_for_none);
	tcase_add_test(tcase, test_end_without_a_look_is_believed);
	tcase_add_test(tcase, test_what_can_be_is_believed);
	tcase_add_test(tcase, test_growth_after_a_jump_is_believed);
	tcase_add_test(tcase, test_nothing_is_counted_twice);
	tcase_add_test(tcase, test_who_gets_no_cpu_does_not_pause);
	return run_tests("account", tcase, NULL);
}

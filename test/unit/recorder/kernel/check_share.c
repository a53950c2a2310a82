/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resources shared by jobs: no user gets all, however many jobs he has. */
#include <check.h>
#include <fcntl.h>
#include <unistd.h>

#include "common/delta.h"
#include "recorder/kernel/share.h"
#include "recorder/processes/run_queue.h"
#include "test/run_tests.h"

enum { CAPACITY = 1 << 20, JOBS = 50, ALICE = 1000, BOB = 1001 };

static struct sw_share_pool pool;

static void setup(void)
{
	pool = (struct sw_share_pool){ .capacity = CAPACITY };
}

/* Take as much as possible. */
static uint64_t take_all(struct sw_share *share)
{
	uint64_t taken = 0;

	while (sw_share_take(share, 64))
		taken += 64;
	return taken;
}

static void check_sums(void)
{
	uint64_t used = 0;

	for (struct sw_share_user *user = pool.users; user; user = user->next)
		used += user->used;
	ck_assert_uint_eq(pool.used, used);
	ck_assert_uint_le(pool.used, CAPACITY);
}

START_TEST(first_job_gets_a_third)
{
	struct sw_share *job = sw_share_open(&pool, ALICE);

	ck_assert_uint_ge(take_all(job), CAPACITY / 3 - 128);
	check_sums();
	sw_share_close(job);
	ck_assert_uint_eq(pool.used, 0);
	ck_assert_ptr_null(pool.users);
}
END_TEST

/* 50 greedy jobs of a user leave another user as much as a single one. */
START_TEST(other_users_find_room)
{
	struct sw_share *greedy[JOBS], *other;
	uint64_t taken = 0;

	for (int i = 0; i < JOBS; i++) {
		greedy[i] = sw_share_open(&pool, ALICE);
		taken += take_all(greedy[i]);
	}
	ck_assert_uint_le(taken, CAPACITY / 2);
	other = sw_share_open(&pool, BOB);
	ck_assert_uint_ge(take_all(other), CAPACITY / 6 - 128);
	check_sums();
	sw_share_close(other);
	for (int i = 0; i < JOBS; i++)
		sw_share_close(greedy[i]);
	ck_assert_uint_eq(pool.used, 0);
}
END_TEST

/* The second job of the same user gets something, too. */
START_TEST(other_jobs_find_room)
{
	struct sw_share *first = sw_share_open(&pool, ALICE);
	struct sw_share *second = sw_share_open(&pool, ALICE);

	take_all(first);
	ck_assert_uint_ge(take_all(second), CAPACITY / 10);
	sw_share_close(first);
	ck_assert_uint_gt(take_all(second), 0);
	sw_share_close(second);
	ck_assert_uint_eq(pool.used, 0);
}
END_TEST

START_TEST(what_is_given_back_can_be_taken)
{
	struct sw_share *job = sw_share_open(&pool, ALICE);
	uint64_t taken = take_all(job);

	sw_share_give(job, taken);
	ck_assert_uint_eq(take_all(job), taken);
	ck_assert(!sw_share_take(job, UINT64_MAX / 2));
	ck_assert_uint_eq(job->used, taken);
	sw_share_close(job);
	ck_assert(sw_share_take(NULL, CAPACITY));
	sw_share_give(NULL, CAPACITY);
	sw_share_close(NULL);
}
END_TEST

/* The threads of 400 steps of one user, and then those of another. */
START_TEST(threads_of_others_are_read)
{
	enum { STEPS = 400, OTHERS = 100, ROOM = 128 };
	struct sw_run_queue greedy[STEPS] = { 0 }, other = { 0 };
	struct sw_share *job = sw_share_open(&pool, ALICE);
	int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	unsigned incomplete = 0;

	/* Missing in a kernel without CONFIG_SCHED_INFO. */
	if (faccessat(proc_fd, "self/schedstat", R_OK, 0) < 0)
		return;
	for (int i = 0; i < STEPS; i++) {
		greedy[i].share = job;
		sw_run_queue_begin(&greedy[i]);
		for (int n = 0; n < ROOM && !greedy[i].is_incomplete; n++)
			sw_run_queue_sample(&greedy[i], proc_fd, getpid(),
					    getpid(), false);
		incomplete += greedy[i].is_incomplete;
	}
	ck_assert_uint_gt(incomplete, 0);
	other.share = sw_share_open(&pool, BOB);
	sw_run_queue_begin(&other);
	for (int n = 0; n < OTHERS; n++)
		sw_run_queue_sample(&other, proc_fd, getpid(), getpid(),
				    false);
	sw_run_queue_end(&other);
	ck_assert(!other.is_incomplete);
	ck_assert_uint_eq(other.count, OTHERS);
	ck_assert(!sw_is_missing(other.total_usec));
	check_sums();
	for (int i = 0; i < STEPS; i++)
		sw_run_queue_fini(&greedy[i]);
	sw_share_close(job);
	job = other.share;
	sw_run_queue_fini(&other);
	sw_share_close(job);
	ck_assert_uint_eq(pool.used, 0);
	close(proc_fd);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("share");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, first_job_gets_a_third);
	tcase_add_test(tcase, other_users_find_room);
	tcase_add_test(tcase, other_jobs_find_room);
	tcase_add_test(tcase, what_is_given_back_can_be_taken);
	tcase_add_test(tcase, threads_of_others_are_read);
	return run_tests("share", tcase, NULL);
}

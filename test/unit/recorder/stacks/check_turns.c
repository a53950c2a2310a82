/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scheduling of stack reads: made-up jobs, users and seconds. */
#include <check.h>

#include "recorder/stacks/turns.h"
#include "test/run_tests.h"

enum { ALICE = 1000, BOB, CAROL, PERMILLE = 10 };

#define SECONDS(number) ((uint64_t)(number) * SW_USEC_PER_SEC)

static struct sw_turns turns;
static uint64_t now;

static void set_up(void)
{
	turns = (struct sw_turns){ .rate_permille = PERMILLE };
	now = SECONDS(100);
}

static bool take(uint32_t uid, uint32_t job)
{
	return sw_turns_take(&turns, uid, job, now);
}

/* Number of children of a job that run in sequence, at this cost each. */
static unsigned run(uint32_t uid, uint32_t job, uint64_t usec)
{
	unsigned count = 0;

	while (count < 1000 && take(uid, job)) {
		sw_turns_give(&turns, uid, job, usec);
		count++;
	}
	return count;
}

static void once(uint32_t uid, uint32_t job, uint64_t usec)
{
	ck_assert(take(uid, job));
	sw_turns_give(&turns, uid, job, usec);
}

START_TEST(test_at_a_time)
{
	ck_assert(take(ALICE, 1) && take(ALICE, 2));
	ck_assert(!take(ALICE, 3));
	ck_assert(take(BOB, 4));
	/* The last one is for a user who has none. */
	ck_assert(!take(BOB, 4));
	ck_assert(take(CAROL, 5));
	ck_assert(!take(CAROL + 1, 6));
	sw_turns_give(&turns, ALICE, 1, 0);
	ck_assert(take(CAROL + 1, 6));
}
END_TEST

/* Debt of one user, in any number of jobs, leaves others a part. */
START_TEST(test_users)
{
	unsigned job, alices = 0, bobs;

	for (job = 1; job <= 48; job++)
		alices += run(ALICE, job, SECONDS(1));
	ck_assert_uint_ge(alices, 4);
	ck_assert_uint_le(alices, 8);
	bobs = run(BOB, 100, SECONDS(1));
	ck_assert_uint_ge(bobs, 2);
	ck_assert_uint_ge(run(CAROL, 101, SECONDS(1) / 10), 1);
	ck_assert(!take(ALICE, 49));
}
END_TEST

START_TEST(test_jobs_of_a_user)
{
	unsigned first = run(ALICE, 1, SECONDS(1) / 10);

	ck_assert_uint_ge(run(ALICE, 2, SECONDS(1) / 10), 5);
	ck_assert_uint_le(first, 55);
}
END_TEST

START_TEST(test_paid_back)
{
	once(ALICE, 1, SECONDS(5));
	ck_assert_uint_eq(sw_turns_owed_usec(&turns, now), SECONDS(5));
	now += SECONDS(100);
	ck_assert_uint_eq(sw_turns_owed_usec(&turns, now), SECONDS(4));
	now += SECONDS(1000);
	ck_assert_uint_eq(sw_turns_owed_usec(&turns, now), 0);
	ck_assert_uint_eq(turns.count, 0);
	ck_assert(take(ALICE, 1));
}
END_TEST

/* In equal parts, and the part that one does not owe goes to the other. */
START_TEST(test_paid_back_to_all)
{
	once(ALICE, 1, SECONDS(4));
	once(BOB, 2, SECONDS(1));
	now += SECONDS(300);
	ck_assert_uint_eq(turns.count, 2);
	ck_assert_uint_eq(sw_turns_owed_usec(&turns, now), SECONDS(2));
	ck_assert_uint_eq(turns.count, 1);
}
END_TEST

START_TEST(test_stuck)
{
	ck_assert(take(ALICE, 1) && take(ALICE, 1));
	sw_turns_set_stuck(&turns, ALICE, 1);
	sw_turns_set_stuck(&turns, ALICE, 1);
	ck_assert(!take(ALICE, 1));
	ck_assert(take(BOB, 2) && take(BOB, 2));
	sw_turns_end_stuck(&turns, ALICE, 1, 0);
	ck_assert(take(ALICE, 1));
}
END_TEST

/* Users with very many jobs have room for no more of them than others. */
START_TEST(test_many_jobs)
{
	uint32_t job, uid;

	for (uid = 0; uid < 4; uid++) {
		for (job = 1; job < 1000; job++) {
			if (take(uid, job))
				sw_turns_give(&turns, uid, job, 1);
		}
	}
	ck_assert_uint_eq(turns.count, 4 * SW_TURNS_JOBS_MAX);
	ck_assert(take(ALICE, 1));
}
END_TEST

int main(void)
{
	TCase *cases = tcase_create("turns");

	tcase_add_checked_fixture(cases, set_up, NULL);
	tcase_add_test(cases, test_at_a_time);
	tcase_add_test(cases, test_users);
	tcase_add_test(cases, test_jobs_of_a_user);
	tcase_add_test(cases, test_paid_back);
	tcase_add_test(cases, test_paid_back_to_all);
	tcase_add_test(cases, test_stuck);
	tcase_add_test(cases, test_many_jobs);
	return run_tests("turns", cases, NULL);
}

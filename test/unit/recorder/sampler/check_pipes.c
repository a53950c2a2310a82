/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times at which pipes are sampled: after waits that double each time. */
#include <check.h>

#include "common/units.h"
#include "recorder/sampler/pipes.h"
#include "recorder/waits/wait_tally.h"
#include "test/run_tests.h"

static struct sw_wait_tally tally;
static struct sw_pipes pipes;

static void set_up(void)
{
	tally = (struct sw_wait_tally){ .count = 2 };
	tally.group[0].reason.kind = SW_WAIT_LOCK;
	tally.group[1].reason.kind = SW_WAIT_PIPE;
	pipes = (struct sw_pipes){ 0 };
}

/* Number of samples in these seconds, spent waiting. */
static unsigned run_told(unsigned seconds, size_t group, bool is_told)
{
	unsigned i, due = 0;

	for (i = 0; i < seconds; i++) {
		tally.group[group].threads = 1;
		tally.group[group].some_usec += SW_USEC_PER_SEC;
		if (!sw_pipes_is_due(&pipes, &tally))
			continue;
		sw_pipes_add(&pipes, is_told);
		due++;
	}
	return due;
}

static unsigned run(unsigned seconds, size_t group)
{
	return run_told(seconds, group, true);
}

START_TEST(each_time_that_the_wait_doubled)
{
	ck_assert_uint_eq(run(3, 1), 0);
	ck_assert_uint_eq(run(1, 1), 1);
	ck_assert_uint_eq(run(3, 1), 0);
	ck_assert_uint_eq(run(1, 1), 1);
	ck_assert_uint_eq(run(56, 1), 3); /* at 16, 32, and 64 s */
}
END_TEST

/* At 4 to 7 s, and at 8 to 11 s; the last one succeeds. */
START_TEST(again_until_it_is_told)
{
	ck_assert_uint_eq(run_told(3, 1, false), 0);
	ck_assert_uint_eq(run_told(4, 1, false), 4);
	ck_assert_uint_eq(run_told(3, 1, false), 3);
	ck_assert_uint_eq(run(1, 1), 1);
	ck_assert_uint_eq(run(4, 1), 0);
	ck_assert_uint_eq(run(1, 1), 1);
}
END_TEST

START_TEST(who_does_not_wait_is_not_looked_at)
{
	ck_assert_uint_eq(run(100, 0), 0);
	tally.group[1].some_usec = 100 * SW_USEC_PER_SEC;
	tally.group[1].threads = 0;
	ck_assert(!sw_pipes_is_due(&pipes, &tally));
	ck_assert(!sw_pipes_is_due(&pipes, NULL));
}
END_TEST

START_TEST(not_more_than_so_often)
{
	tally.group[1].some_usec = 1ULL << 62;
	ck_assert_uint_eq(run(1000, 1), SW_PIPES_LOOKS_MAX);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("pipes");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, each_time_that_the_wait_doubled);
	tcase_add_test(tcase, again_until_it_is_told);
	tcase_add_test(tcase, who_does_not_wait_is_not_looked_at);
	tcase_add_test(tcase, not_more_than_so_often);
	return run_tests("pipes", tcase, NULL);
}

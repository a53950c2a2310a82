/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detection of hanging steps: CPU time over made-up seconds. */
#include <check.h>

#include "common/missing.h"
#include "common/units.h"
#include "recorder/sampler/hang.h"
#include "test/run_tests.h"

#define SECONDS(number) ((uint64_t)(number) * SW_USEC_PER_SEC)

static struct sw_hang hang;
static uint64_t cpu_usec, queue_usec;
static unsigned marked;

static void set_up(void)
{
	hang = (struct sw_hang){ 0 };
	cpu_usec = queue_usec = 0;
	marked = 0;
}

/* Number of detections in this time, with a constant CPU usage per second. */
static unsigned run(unsigned from, unsigned to, uint64_t usec_per_sec)
{
	unsigned found = 0;

	for (; from < to; from++) {
		enum sw_hang_due due = sw_hang_check(&hang, SECONDS(from),
						     cpu_usec, queue_usec);

		marked += due == SW_HANG_MARK;
		found += due == SW_HANG_TAKE;
		cpu_usec += usec_per_sec;
	}
	return found;
}

START_TEST(test_stillness_is_found_once)
{
	ck_assert_uint_eq(run(0, 10, 0), 0);
	ck_assert_uint_eq(run(10, 11, 0), 1);
	ck_assert_uint_eq(run(11, 100, 0), 0);
}
END_TEST

START_TEST(test_half_of_it_is_marked_once)
{
	run(0, 5, 0);
	ck_assert_uint_eq(marked, 0);
	run(5, 6, 0);
	ck_assert_uint_eq(marked, 1);
	run(6, 100, 0);
	ck_assert_uint_eq(marked, 1);
	cpu_usec += SW_USEC_PER_SEC;
	run(100, 106, 0);
	ck_assert_uint_eq(marked, 2);
}
END_TEST

START_TEST(test_heartbeat_is_no_progress)
{
	ck_assert_uint_eq(run(0, 30, 20000), 1);
}
END_TEST

START_TEST(test_work_is_progress)
{
	ck_assert_uint_eq(run(0, 100, 100000), 0);
}
END_TEST

START_TEST(test_stray_sample_begins_anew)
{
	ck_assert_uint_eq(run(0, 8, 0), 0);
	cpu_usec += SW_USEC_PER_SEC;
	ck_assert_uint_eq(run(8, 18, 0), 0);
	ck_assert_uint_eq(run(18, 19, 0), 1);
}
END_TEST

/* The same with threads that wait for a CPU for this part of each second. */
static unsigned queue(unsigned from, unsigned to, uint64_t usec_per_sec)
{
	unsigned found = 0;

	for (; from < to; from++) {
		found += run(from, from + 1, 5000);
		queue_usec += usec_per_sec;
	}
	return found;
}

START_TEST(test_waits_for_a_cpu_are_no_standstill)
{
	ck_assert_uint_eq(queue(0, 40, 900000), 0);
	ck_assert_uint_eq(queue(40, 60, 0), 1);
}
END_TEST

START_TEST(test_heartbeat_on_a_busy_node_is_no_progress)
{
	ck_assert_uint_eq(queue(0, 40, 200000), 1);
}
END_TEST

START_TEST(test_unknown_waits_for_a_cpu_are_none)
{
	queue_usec = SW_MISSING;
	ck_assert_uint_eq(run(0, 30, 0), 1);
}
END_TEST

START_TEST(test_not_more_than_so_often)
{
	unsigned i, found = 0;

	for (i = 0; i < 10; i++) {
		found += run(50 * i, 50 * i + 50, 0);
		cpu_usec += SW_USEC_PER_SEC;
	}
	ck_assert_uint_eq(found, SW_HANGS_MAX);
}
END_TEST

START_TEST(test_without_cpu_time_nothing)
{
	cpu_usec = SW_MISSING;
	ck_assert_uint_eq(run(0, 100, 0), 0);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("hang");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, test_stillness_is_found_once);
	tcase_add_test(tcase, test_half_of_it_is_marked_once);
	tcase_add_test(tcase, test_heartbeat_is_no_progress);
	tcase_add_test(tcase, test_work_is_progress);
	tcase_add_test(tcase, test_stray_sample_begins_anew);
	tcase_add_test(tcase, test_waits_for_a_cpu_are_no_standstill);
	tcase_add_test(tcase, test_heartbeat_on_a_busy_node_is_no_progress);
	tcase_add_test(tcase, test_unknown_waits_for_a_cpu_are_none);
	tcase_add_test(tcase, test_not_more_than_so_often);
	tcase_add_test(tcase, test_without_cpu_time_nothing);
	return run_tests("hang", tcase, NULL);
}

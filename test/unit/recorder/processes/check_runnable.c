/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workers among threads, and those of them that ran. */
#include <check.h>

#include "recorder/processes/runnable.h"
#include "test/run_tests.h"

#define THREAD(number, name, usec) \
	{ .tid = (number), .kind = sw_worker_kind(name), .cpu_usec = (usec) }

/* A Java VM has compiler and garbage collector threads beside workers. */
START_TEST(helpers_are_no_workers)
{
	struct sw_worker threads[] = {
		THREAD(1, "java", 100), THREAD(2, "GC Thread#0", 3000),
		THREAD(3, "GC Thread#1", 2900), THREAD(4, "C2 CompilerThre", 2500),
		THREAD(5, "pool-1-thread-1", 9000),
		THREAD(6, "pool-1-thread-12", 8000),
		THREAD(7, "pool-1-thread-3", 800),
		THREAD(8, "pool-1-thread-4", 0),
	};
	struct sw_workers workers = sw_workers_of(threads, 8);

	ck_assert_uint_eq(workers.count, 2);
	ck_assert_uint_eq(workers.usec, 17000);
	ck_assert_uint_eq(workers.busiest_usec, 9000);
	ck_assert_int_eq(threads[0].tid, 5);
	ck_assert_int_eq(threads[1].tid, 6);
	workers = sw_workers_of(threads, 0);
	ck_assert_uint_eq(workers.count, 0);
}
END_TEST

START_TEST(names_end_at_their_line)
{
	ck_assert_uint_eq(sw_worker_kind("worker-1\nUmask: 0022"),
			  sw_worker_kind("worker-24"));
	ck_assert_uint_ne(sw_worker_kind("worker"), sw_worker_kind("writer"));
}
END_TEST

/* A single one runs; a new one has not waited for anybody yet. */
START_TEST(who_ran)
{
	const struct sw_worker before[] = {
		THREAD(1, "a", 1000), THREAD(2, "a", 1000), THREAD(3, "a", 900),
	};
	const struct sw_worker now[] = {
		THREAD(3, "a", 1900), THREAD(1, "a", 1000), THREAD(4, "a", 500),
		THREAD(2, "a", 1010),
	};

	ck_assert_uint_eq(sw_workers_ran(now, 4, before, 3, 20), 1);
	ck_assert_uint_eq(sw_workers_ran(now, 4, before, 3, 10), 2);
	ck_assert_uint_eq(sw_workers_ran(now, 4, before, 0, 10), 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("runnable");

	tcase_add_test(tests, helpers_are_no_workers);
	tcase_add_test(tests, names_end_at_their_line);
	tcase_add_test(tests, who_ran);
	return run_tests("runnable", tests, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits for a CPU of made-up threads: accepted and rejected growth. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/processes/run_queue.h"
#include "test/run_tests.h"

enum { PID = 7 };

static char folder[] = "/tmp/check_run_queue.XXXXXX";
static struct sw_run_queue queue;
static bool is_to_run;	/* runnable when sampled */
static int proc_fd;

static void set_up(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert(mkdtemp(folder));
	proc_fd = open(folder, O_RDONLY | O_DIRECTORY);
	ck_assert_int_ge(proc_fd, 0);
	ck_assert_int_eq(mkdirat(proc_fd, "7", 0700), 0);
	ck_assert_int_eq(mkdirat(proc_fd, "7/task", 0700), 0);
	ck_assert_int_eq(mkdirat(proc_fd, "7/task/7", 0700), 0);
	queue = (struct sw_run_queue){ 0 };
	is_to_run = false;
}

static void tear_down(void)
{
	sw_run_queue_fini(&queue);
	unlinkat(proc_fd, "7/task/7/schedstat", 0);
	unlinkat(proc_fd, "7/task/7", AT_REMOVEDIR);
	unlinkat(proc_fd, "7/task", AT_REMOVEDIR);
	unlinkat(proc_fd, "7", AT_REMOVEDIR);
	close(proc_fd);
	rmdir(folder);
}

/* Total wait, with this value in the thread's file. */
static uint64_t look(uint64_t wait_nsec)
{
	int fd = openat(proc_fd, "7/task/7/schedstat",
			O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	dprintf(fd, "1000 %llu 3\n", (unsigned long long)wait_nsec);
	close(fd);
	sw_run_queue_begin(&queue);
	sw_run_queue_sample(&queue, proc_fd, PID, PID, is_to_run);
	sw_run_queue_end(&queue);
	return queue.total_usec;
}

/* Let the clock advance by at least a microsecond. */
static void pass_time(void)
{
	uint64_t before_usec = sw_clock_boottime_usec();

	while (sw_clock_boottime_usec() < before_usec + 2)
		;
}

START_TEST(first_look_is_believed)
{
	ck_assert_uint_eq(look(5 * SW_USEC_PER_SEC * SW_NSEC_PER_USEC),
			  5 * SW_USEC_PER_SEC);
}
END_TEST

START_TEST(growth_within_the_time_is_believed)
{
	ck_assert_uint_eq(look(4000), 4);
	pass_time();
	ck_assert_uint_eq(look(5000), 5);
}
END_TEST

START_TEST(growth_beyond_the_time_is_not)
{
	const uint64_t hour_usec = 3600 * SW_USEC_PER_SEC;
	uint64_t begun_usec = sw_clock_boottime_usec(), most_usec;

	look(0);
	ck_assert_uint_lt(look(hour_usec * SW_NSEC_PER_USEC), hour_usec);
	most_usec = sw_clock_boottime_usec() - begun_usec;
	ck_assert_uint_le(queue.total_usec, most_usec);
	/* No further growth: the value was already read. */
	most_usec = queue.total_usec;
	ck_assert_uint_eq(look(hour_usec * SW_NSEC_PER_USEC), most_usec);
	pass_time();
	ck_assert_uint_eq(look(hour_usec * SW_NSEC_PER_USEC + 1000),
			  most_usec + 1);
}
END_TEST

/* The wait since the first sample is reported at the fourth. */
START_TEST(wait_longer_than_the_time_between_looks_is_believed)
{
	uint64_t begun_usec, wait_usec;

	look(0);
	is_to_run = true;
	begun_usec = sw_clock_boottime_usec();
	pass_time();
	look(0);
	pass_time();
	look(0);
	pass_time();
	wait_usec = sw_clock_boottime_usec() - begun_usec;
	ck_assert_uint_eq(look(wait_usec * SW_NSEC_PER_USEC), wait_usec);
}
END_TEST

START_TEST(sleep_longer_than_the_time_between_looks_is_not)
{
	const uint64_t hour_usec = 3600 * SW_USEC_PER_SEC;

	is_to_run = true;
	look(0);
	look(0);
	is_to_run = false;
	look(0);
	ck_assert_uint_eq(queue.now[0].open_nsec, 0);
	ck_assert_uint_lt(look(hour_usec * SW_NSEC_PER_USEC), hour_usec);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("run_queue");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, first_look_is_believed);
	tcase_add_test(tcase, growth_within_the_time_is_believed);
	tcase_add_test(tcase, growth_beyond_the_time_is_not);
	tcase_add_test(tcase,
		       wait_longer_than_the_time_between_looks_is_believed);
	tcase_add_test(tcase, sleep_longer_than_the_time_between_looks_is_not);
	return run_tests("run_queue", tcase, NULL);
}

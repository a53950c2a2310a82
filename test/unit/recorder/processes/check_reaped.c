/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage of this process's children, with busy threads of its own. */
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/processes/reaped.h"
#include "test/run_tests.h"

enum { ROUNDS = 2000, CHILD_BYTES = 1234 };

static int proc_fd, null_fd;
static atomic_bool is_over;
static pthread_barrier_t has_ended_work;

static void setup(void)
{
	proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(proc_fd, 0);
	ck_assert_int_ge(null_fd, 0);
}

static void write_null(const void *bytes, size_t size)
{
	if (write(null_fd, bytes, size) != (ssize_t)size)
		abort();
}

/* In bursts: at some reads it does nothing. */
static void *write_much(void *unused)
{
	const struct timespec nap = { .tv_nsec = 200000 };
	int i;

	while (!atomic_load(&is_over)) {
		for (i = 0; i < 50; i++)
			write_null("8 bytes", 8);
		nanosleep(&nap, NULL);
	}
	pthread_barrier_wait(&has_ended_work);
	/* It stays, as the recorder's threads do. */
	for (;;)
		pause();
	return unused;
}

static void reap_a_writer(void)
{
	static const char bytes[CHILD_BYTES];
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		write_null(bytes, sizeof(bytes));
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

/* Their usage is not a child's: the result is right, or unknown. */
START_TEST(threads_at_work)
{
	struct sw_reaped reaped;
	unsigned int known = 0, i;
	pthread_t thread;

	reap_a_writer();
	pthread_barrier_init(&has_ended_work, NULL, 2);
	ck_assert_int_eq(pthread_create(&thread, NULL, write_much, NULL), 0);
	for (i = 0; i < ROUNDS; i++) {
		sw_reaped_read(&reaped, proc_fd, getpid(), true);
		if (sw_is_missing(reaped.io[SW_IO_WCHAR]))
			continue;
		known++;
		ck_assert_uint_eq(reaped.io[SW_IO_WCHAR], CHILD_BYTES);
		ck_assert_uint_eq(reaped.io[SW_IO_SYSCW], 1);
		ck_assert_uint_eq(reaped.io[SW_IO_RCHAR], 0);
		ck_assert_uint_eq(reaped.io[SW_IO_SYSCR], 0);
	}
	ck_assert_uint_gt(known, 0);
	atomic_store(&is_over, true);
	pthread_barrier_wait(&has_ended_work);
	reap_a_writer();
	sw_reaped_read(&reaped, proc_fd, getpid(), true);
	ck_assert_uint_eq(reaped.io[SW_IO_WCHAR], 2 * CHILD_BYTES);
	ck_assert_uint_eq(reaped.io[SW_IO_SYSCW], 2);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("reaped");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, threads_at_work);
	return run_tests("reaped", tcase, NULL);
}

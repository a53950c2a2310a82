/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file for ends without a listener, and how long hooks wait for it. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "spank/drop.h"

enum { NAP_USEC = 100, WAIT_USEC = 2000, TASKS = 64 };

static char folder[64], path[96];
static unsigned naps;

static int count_nap(const struct timespec *time, struct timespec *left)
{
	naps++;
	return nanosleep(time, left);
}

/* The real code, except for the file's path. */
#undef SW_DROP_PATH
#undef SW_DROP_FOLDER
#define SW_DROP_PATH   path
#define SW_DROP_FOLDER folder
#define nanosleep      count_nap
#include "spank/drop.c"
#include "test/run_tests.h"
#undef nanosleep

static struct sw_message_header message = { .length = sizeof(message) };

static void setup(void)
{
	strcpy(folder, "/tmp/check_drop.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/drop", folder);
	naps = 0;
}

static void teardown(void)
{
	unlink(path);
	rmdir(folder);
}

static off_t size_of_file(void)
{
	struct stat status;

	return stat(path, &status) < 0 ? -1 : status.st_size;
}

START_TEST(kept_for_the_next_recorder)
{
	uint64_t wait_usec = WAIT_USEC;

	if (geteuid() != 0)
		return; /* the file must be root's */
	ck_assert_int_eq(sw_drop(&message, &wait_usec), 0);
	wait_usec = 0;
	ck_assert_int_eq(sw_drop(&message, &wait_usec), 0);
	ck_assert_int_eq(size_of_file(), 2 * sizeof(message));
	ck_assert_uint_eq(naps, 0);
}
END_TEST

/* A recorder stopped while it takes the file, and a step's tasks. */
START_TEST(a_lock_that_is_held)
{
	uint64_t wait_usec = WAIT_USEC;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), i;

	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	for (i = 0; i < TASKS; i++)
		ck_assert_int_eq(sw_drop(&message, &wait_usec), -1);
	ck_assert_uint_eq(wait_usec, 0);
	ck_assert_uint_ge(naps, 1);
	ck_assert_uint_le(naps, WAIT_USEC / NAP_USEC);
	ck_assert_int_eq(size_of_file(), 0);
	close(fd);
}
END_TEST

START_TEST(no_recorder_ever)
{
	uint64_t wait_usec = WAIT_USEC;

	rmdir(folder);
	ck_assert_int_eq(sw_drop(&message, &wait_usec), -1);
	ck_assert_uint_eq(naps, 0);
	ck_assert_uint_eq(wait_usec, WAIT_USEC);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("drop");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, kept_for_the_next_recorder);
	tcase_add_test(tests, a_lock_that_is_held);
	tcase_add_test(tests, no_recorder_ever);
	return run_tests("drop", tests, NULL);
}

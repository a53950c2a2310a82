/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attribution of crashes by the guard: a fault to the job being served, an OOM
 * kill to the job that held most memory, anything else to none.
 */
#include <check.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "recorder/daemon/node_guard.h"
#include "test/run_tests.h"

enum { SERVED = 5, HEAVY = 7 };

static char folder[] = "/tmp/check_guard.XXXXXX";
static int dirfd_;

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	dirfd_ = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(dirfd_, 0);
}

static void teardown(void)
{
	unlinkat(dirfd_, "guard", 0);
	close(dirfd_);
	rmdir(folder);
}

static void open_guard(struct sw_node_guard *guard, uint32_t oom_kills)
{
	struct sw_error error;

	ck_assert_int_eq(sw_node_guard_open(guard, dirfd_, "guard", oom_kills,
					    &error), 0);
}

/* A running recorder that dies without notice. */
static void work(bool is_busy, bool has_heavy, bool has_faulted)
{
	struct sw_node_guard guard;

	open_guard(&guard, 1);
	if (has_heavy)
		sw_node_guard_weigh(&guard, HEAVY);
	if (is_busy)
		sw_node_guard_enter(&guard, SERVED);
	guard.page->has_faulted = has_faulted;
}

static void check_blame(uint32_t oom_kills, bool of_served, bool of_heavy)
{
	struct sw_node_guard guard;

	open_guard(&guard, oom_kills);
	ck_assert(sw_node_guard_skips(&guard, SERVED) == of_served);
	ck_assert(sw_node_guard_skips(&guard, HEAVY) == of_heavy);
	ck_assert_uint_eq(guard.page->crashes, of_served || of_heavy);
	/* Counted once. */
	open_guard(&guard, oom_kills);
	ck_assert_uint_eq(guard.page->crashes, of_served || of_heavy);
}

START_TEST(fault)
{
	work(true, true, true);
	check_blame(1, true, false);
}
END_TEST

START_TEST(out_of_memory)
{
	work(_i, true, false);
	check_blame(2, false, true);
}
END_TEST

START_TEST(out_of_memory_before_any_weighing)
{
	work(true, false, false);
	check_blame(2, true, false);
}
END_TEST

/* systemd has removed the cgroup with its count. */
START_TEST(out_of_memory_of_a_unit)
{
	int fd;

	work(true, true, false);
	fd = openat(dirfd_, "guard.oom", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
	check_blame(0, false, true);
	ck_assert_int_lt(faccessat(dirfd_, "guard.oom", F_OK, 0), 0);
}
END_TEST

START_TEST(killed)
{
	work(true, true, false);
	check_blame(1, false, false);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("guard");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, fault);
	tcase_add_loop_test(tcase, out_of_memory, 0, 2);
	tcase_add_test(tcase, out_of_memory_before_any_weighing);
	tcase_add_test(tcase, out_of_memory_of_a_unit);
	tcase_add_test(tcase, killed);
	return run_tests("guard", tcase, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that name processes, complete or not, and trees of such processes. */
#include "recorder/run/members.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/kernel/process.h"
#include "recorder/processes/roots.h"
#include "recorder/processes/tree.h"
#include "test/run_tests.h"

static char taken[256];
static struct sw_run_members members;
static int writer;

static void take(void *context, pid_t pid, uint64_t start_ticks)
{
	size_t length = strlen(taken);

	ck_assert_ptr_eq(context, &members);
	snprintf(taken + length, sizeof(taken) - length, "%d:%llu ", (int)pid,
		 (unsigned long long)start_ticks);
}

static void open_pipe(void)
{
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	writer = fds[1];
	sw_run_members_open(&members);
	ck_assert_int_gt(members.fd, STDERR_FILENO);
	taken[0] = '\0';
}

static void put(const char *text)
{
	ck_assert_int_eq(write(writer, text, strlen(text)),
			 (ssize_t)strlen(text));
}

START_TEST(takes_whole_lines)
{
	open_pipe();
	ck_assert(sw_run_members_read(&members, take, &members));
	ck_assert_str_eq(taken, "");
	put("12:3");
	ck_assert(sw_run_members_read(&members, take, &members));
	ck_assert_str_eq(taken, "");
	put("45\n6:7\nx\n1:2\n:\n12:34x\n\n8:9");
	ck_assert(sw_run_members_read(&members, take, &members));
	ck_assert_str_eq(taken, "12:345 6:7 ");
	close(writer);
	ck_assert(!sw_run_members_read(&members, take, &members));
	ck_assert_int_eq(members.fd, -1);
	ck_assert(!sw_run_members_read(&members, take, &members));
	/* An incomplete line names no process. */
	ck_assert_str_eq(taken, "12:345 6:7 ");
}
END_TEST

START_TEST(leaves_out_what_is_too_long)
{
	char line[3000];

	open_pipe();
	memset(line, '1', sizeof(line));
	memcpy(line + sizeof(line) - 7, "\n12:34\n", 7);
	ck_assert_int_eq(write(writer, line, sizeof(line)),
			 (ssize_t)sizeof(line));
	close(writer);
	ck_assert(!sw_run_members_read(&members, take, &members));
	ck_assert_str_eq(taken, "12:34 ");
}
END_TEST

static const struct sw_process used = {
	.pid = 12,
	.start_ticks = 34,
	.user_usec = 1000,
	.minflt = 5,
};

START_TEST(keeps_what_was_used)
{
	struct sw_roots roots = { .count = 0 };
	struct sw_process process = used, other = used;

	ck_assert(sw_roots_add(&roots, 12, 34));
	ck_assert(sw_roots_add(&roots, 12, 34));
	ck_assert(sw_roots_add(&roots, 13, 34));
	ck_assert_uint_eq(roots.count, 2);
	other.start_ticks++;
	ck_assert(!sw_roots_is_other(&roots, &process));
	ck_assert(sw_roots_is_other(&roots, &other));
	sw_roots_settle(&roots, 0, &process, false);
	ck_assert(!roots.has_gone);
	sw_roots_settle(&roots, 0, NULL, false);
	ck_assert(roots.has_gone);
	ck_assert_uint_eq(roots.gone.user_usec, 1000);
	/* Never seen, or a child of a known one: nothing is added. */
	sw_roots_settle(&roots, 0, NULL, false);
	ck_assert_uint_eq(roots.count, 0);
	ck_assert(sw_roots_add(&roots, 12, 34));
	sw_roots_settle(&roots, 0, &process, true);
	sw_roots_settle(&roots, 0, NULL, false);
	ck_assert_uint_eq(roots.gone.user_usec, 1000);
	/* Its pid was reused before its exit was noticed. */
	ck_assert(sw_roots_add(&roots, 12, 34));
	sw_roots_settle(&roots, 0, &process, false);
	ck_assert(sw_roots_add(&roots, 12, 35));
	ck_assert_uint_eq(roots.count, 1);
	ck_assert_uint_eq(roots.gone.user_usec, 2000);
	sw_roots_fini(&roots);
}
END_TEST

START_TEST(is_bounded)
{
	struct sw_roots roots = { .count = 0 };
	int i;

	for (i = 0; i < SW_ROOTS_MAX; i++)
		ck_assert(sw_roots_add(&roots, 100 + i, 1));
	ck_assert(!sw_roots_add(&roots, 99, 1));
	ck_assert_uint_eq(roots.left_out, 1);
	sw_roots_fini(&roots);
}
END_TEST

/* A tree of two processes of which it is not the parent, and then of one. */
START_TEST(leads_the_tree)
{
	int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY);
	struct sw_process process;
	struct sw_error error;
	struct sw_tree *tree = sw_tree_create_of(proc_fd, 0, &error);
	pid_t pids[2];
	int i;

	ck_assert_ptr_nonnull(tree);
	sw_tree_refresh(tree);
	ck_assert_uint_eq(sw_tree_count(tree), 0);
	for (i = 0; i < 2; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			pause();
			_exit(0);
		}
		ck_assert_int_eq(
			sw_process_read_stat(&process, proc_fd, pids[i]),
			SW_READ_OK);
		/* The second start time does not match the process. */
		ck_assert(sw_tree_add_root(tree, pids[i],
					   process.start_ticks + (i > 0)));
	}
	sw_tree_refresh(tree);
	ck_assert_uint_eq(sw_tree_count(tree), 1);
	ck_assert_int_eq(sw_tree_process(tree, 0)->pid, pids[0]);
	for (i = 0; i < 2; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	sw_tree_refresh(tree);
	ck_assert_uint_eq(sw_tree_count(tree), 0);
	ck_assert(!sw_is_missing(sw_tree_totals(tree)->minflt));
	sw_tree_destroy(tree);
	close(proc_fd);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("members");

	tcase_add_test(tests, takes_whole_lines);
	tcase_add_test(tests, leaves_out_what_is_too_long);
	tcase_add_test(tests, keeps_what_was_used);
	tcase_add_test(tests, is_bounded);
	tcase_add_test(tests, leads_the_tree);
	return run_tests("members", tests, NULL);
}

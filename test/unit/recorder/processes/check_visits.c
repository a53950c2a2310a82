/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes whose files never respond: FIFOs without a writer. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "recorder/processes/tree.h"
#include "recorder/processes/visits.h"
#include "test/run_tests.h"

enum { FIRST = 100, STUCK_MANY = 40, PATIENCE = 1000, NAP_USEC = 10000 };

static char folder[] = "/tmp/check_visits.XXXXXX";
static int proc_fd;

static void make_path(char *path, size_t size, int pid, const char *name)
{
	snprintf(path, size, "%s/%d/%s", folder, pid, name);
}

static void put(int pid, const char *name, const char *text)
{
	char path[128];
	FILE *file;

	make_path(path, sizeof(path), pid, name);
	unlink(path);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

/* Create a process with this CPU time, and the children of the list. */
static void put_process(int pid, int parent, int ticks, const char *children)
{
	char path[128], text[256], name[32];

	make_path(path, sizeof(path), pid, "");
	mkdir(path, 0755);
	make_path(path, sizeof(path), pid, "task");
	mkdir(path, 0755);
	snprintf(name, sizeof(name), "task/%d", pid);
	make_path(path, sizeof(path), pid, name);
	mkdir(path, 0755);
	snprintf(text, sizeof(text), "%d (prog) S %d 1 1 0 -1 0 0 0 0 0 %d 0 "
		 "0 0 20 0 1 0 %d 0 0 0 0 0 0\n", pid, parent, ticks, pid);
	put(pid, "stat", text);
	put(pid, "status", "VmHWM:\t8 kB\nvoluntary_ctxt_switches:\t7\n");
	put(pid, "io", "rchar: 1\nwchar: 1\nsyscr: 1\nsyscw: 1\n"
	    "read_bytes: 1\nwrite_bytes: 1\ncancelled_write_bytes: 1\n");
	snprintf(name, sizeof(name), "task/%d/schedstat", pid);
	put(pid, name, "1 2 3\n");
	snprintf(name, sizeof(name), "task/%d/children", pid);
	put(pid, name, children);
}

static void jam(int pid, const char *name)
{
	char path[128];

	make_path(path, sizeof(path), pid, name);
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
}

/* Let its reader reach the end. */
static void unjam(int pid, const char *name)
{
	char path[128];
	int fd;

	make_path(path, sizeof(path), pid, name);
	fd = open(path, O_WRONLY | O_NONBLOCK);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void begin(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	proc_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(proc_fd, 0);
}

static void end(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
	close(proc_fd);
}

static uint64_t visit_usec(struct sw_visit *visits, size_t count)
{
	uint64_t begin_usec = sw_clock_boottime_usec();

	sw_visits(proc_fd, visits, count);
	return sw_clock_boottime_usec() - begin_usec;
}

/* Minimum of several runs, since other programs delay some of them. */
static uint64_t least_usec(struct sw_visit *visits, size_t count)
{
	uint64_t least = UINT64_MAX, usec;
	int i;

	for (i = 0; i < 10; i++) {
		usec = visit_usec(visits, count);
		least = usec < least ? usec : least;
	}
	return least;
}

/* Return the stuck one of those visited; 0 if there is none. */
static pid_t find_stuck(const struct sw_visit *visits, size_t count)
{
	pid_t stuck = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		/* Each is at its position. */
		ck_assert_int_eq(visits[i].pid, (pid_t)i + 5);
		if (visits[i].is_stuck) {
			ck_assert_int_eq(stuck, 0);
			stuck = visits[i].pid;
			continue;
		}
		ck_assert_int_eq(visits[i].status, SW_READ_OK);
		ck_assert_int_eq(visits[i].process.pid, visits[i].pid);
	}
	return stuck;
}

static const char *const files[] = { "stat", "status", "io" };

START_TEST(one_is_stuck)
{
	struct sw_visit visits[] = {
		{ .pid = 5 }, { .pid = 6 }, { .pid = 7 }, { .pid = 8 } };
	const size_t count = sizeof(visits) / sizeof(visits[0]);
	int pid, i;

	for (pid = 5; pid <= 8; pid++)
		put_process(pid, 1, 1, "");
	ck_assert_int_eq((visit_usec(visits, count),
			  find_stuck(visits, count)), 0);
	jam(6, files[_i]);
	ck_assert_uint_ge(visit_usec(visits, count), 20000);
	ck_assert_int_eq(find_stuck(visits, count), 6);
	/* It is known to be stuck: no second wait. */
	ck_assert_uint_lt(least_usec(visits, count), 19000);
	ck_assert_int_eq(find_stuck(visits, count), 6);
	unjam(6, files[_i]);
	put_process(6, 1, 1, "");
	/* Its reader reaches the end a little later. */
	for (i = 0; i < PATIENCE && find_stuck(visits, count) != 0; i++) {
		usleep(NAP_USEC);
		sw_visits(proc_fd, visits, count);
	}
	ck_assert_int_eq(find_stuck(visits, count), 0);
}
END_TEST

/* Many stuck processes take no longer than a few. */
START_TEST(many_are_stuck)
{
	struct sw_visit visits[STUCK_MANY] = { { .pid = 0 } };
	int i;

	for (i = 0; i < STUCK_MANY; i++) {
		visits[i].pid = FIRST + i;
		put_process(FIRST + i, 1, 1, "");
		jam(FIRST + i, "stat");
	}
	visit_usec(visits, STUCK_MANY);
	for (i = 0; i < STUCK_MANY; i++)
		ck_assert(visits[i].is_stuck);
	ck_assert_uint_lt(least_usec(visits, STUCK_MANY), 19000);
}
END_TEST

/* The tree keeps the last data, and counts new processes. */
START_TEST(tree_goes_on)
{
	struct sw_error error;
	struct sw_tree *tree;
	int i;

	put_process(10, 1, 100, "11 12");
	put_process(11, 10, 100, "");
	put_process(12, 10, 100, "");
	tree = sw_tree_create(proc_fd, 10, &error);
	ck_assert_ptr_nonnull(tree);
	sw_tree_refresh(tree);
	ck_assert_uint_eq(sw_tree_count(tree), 3);
	ck_assert_uint_eq(sw_tree_totals(tree)->user_usec, 3000000);
	put_process(10, 1, 200, "11 12 13");
	put_process(13, 10, 100, "");
	jam(11, "io");
	jam(13, "stat");
	sw_tree_refresh(tree);
	ck_assert_uint_eq(sw_tree_count(tree), 3);
	ck_assert_uint_eq(sw_tree_left_out(tree), 1);
	ck_assert_uint_eq(sw_tree_totals(tree)->user_usec, 4000000);
	ck_assert_uint_eq(sw_tree_totals(tree)->voluntary_switches, 21);
	unjam(11, "io");
	unjam(13, "stat");
	put_process(11, 10, 300, "");
	put_process(13, 10, 100, "");
	for (i = 0; i < PATIENCE && sw_tree_totals(tree)->user_usec < 7000000;
	     i++) {
		usleep(NAP_USEC);
		sw_tree_refresh(tree);
	}
	ck_assert_uint_eq(sw_tree_count(tree), 4);
	ck_assert_uint_eq(sw_tree_left_out(tree), 0);
	ck_assert_uint_eq(sw_tree_totals(tree)->user_usec, 7000000);
	ck_assert_uint_eq(sw_tree_totals(tree)->voluntary_switches, 28);
	sw_tree_destroy(tree);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("visits");

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_loop_test(tests, one_is_stuck, 0,
			    sizeof(files) / sizeof(files[0]));
	tcase_add_test(tests, many_are_stuck);
	tcase_add_test(tests, tree_goes_on);
	return run_tests("visits", tests, NULL);
}

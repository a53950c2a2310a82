/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inherited counters on this kernel: the exact page faults of a known workload
 * with threads, children and grandchildren.
 */
#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/sources/reading.h"
#include "test/run_tests.h"

/* 1 + 4 threads + 3 children + 3 grandchildren, between two stops. */
enum { PAGES = 2000, TOUCHERS = 11 };

/* The workload: this program again, as "touch". */

static void touch_pages(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE), i;
	char *memory = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(1);
	madvise(memory, PAGES * size, MADV_NOHUGEPAGE);
	for (i = 0; i < PAGES; i++)
		memory[i * size] = 1;
}

static void *touch_in_thread(void *unused)
{
	touch_pages();
	return unused;
}

static void touch_in_child(int depth)
{
	pid_t pid = fork();

	if (pid == 0) {
		touch_pages();
		if (depth > 1)
			touch_in_child(depth - 1);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static int touch_all(void)
{
	pthread_t thread[4];
	size_t i;

	raise(SIGSTOP);
	touch_pages();
	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, touch_in_thread, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < 3; i++)
		touch_in_child(2);
	raise(SIGSTOP);
	return 0;
}

/* Held until the other end of the pipe is closed, then executed. */
static pid_t start_held(int *hold)
{
	int ends[2];
	pid_t pid;
	char byte;

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		if (read(ends[0], &byte, 1) == 0)
			execl("/proc/self/exe", "check_pmu_live", "touch",
			      (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	*hold = ends[1];
	return pid;
}

static void wait_stopped(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	ck_assert(WIFSTOPPED(status));
}

/* Page faults of the process and of children it waited for, from /proc. */
static uint64_t faults_of(pid_t pid)
{
	uint64_t minor, children_minor, major, children_major;
	char path[64], text[1024];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), file));
	fclose(file);
	ck_assert_int_eq(sscanf(strrchr(text, ')'), ") %*c %*d %*d %*d %*d "
				"%*d %*u %" SCNu64 " %" SCNu64 " %" SCNu64
				" %" SCNu64, &minor, &children_minor, &major,
				&children_major), 4);
	return minor + children_minor + major + children_major;
}

/* The source's number of page faults until now. */
static uint64_t count(struct sw_reading *reading,
		      const struct sw_target *target)
{
	size_t i = 0;

	ck_assert_int_eq(sw_reading_take(reading, target), SW_READ_OK);
	ck_assert_uint_eq(reading->rows.count, 1);
	while (strcmp(sw_src_perf.columns[i].name, "page_faults") != 0)
		i++;
	return sw_rows_values(&reading->rows, 0)[i];
}

/* Return false if this user may not count at all. */
static bool attach(struct sw_reading *reading, struct sw_target *target)
{
	const char *reason;

	sw_reading_init(reading, &sw_src_perf,
			calloc(1, sw_reading_bytes(&sw_src_perf)));
	if (sw_reading_open(reading, target) == SW_READ_OK)
		return true;
	reason = sw_src_perf.reason(reading->state, SW_READ_OK);
	printf("left out: %s\n", reason);
	ck_assert_ptr_nonnull(strstr(reason, "not allowed"));
	return false;
}

static void compare(struct sw_reading *reading,
		    const struct sw_target *target, pid_t pid)
{
	uint64_t counted, seen;

	counted = count(reading, target);
	seen = faults_of(pid);
	kill(pid, SIGCONT);
	wait_stopped(pid);
	counted = count(reading, target) - counted;
	seen = faults_of(pid) - seen;
	printf("page faults: %" PRIu64 " counted, %" PRIu64 " in /proc, %d "
	       "pages touched\n", counted, seen, TOUCHERS * PAGES);
	ck_assert_uint_ge(counted, TOUCHERS * PAGES);
	/* Unprivileged: faults in kernel mode are not counted. */
	if (geteuid() == 0)
		ck_assert_uint_eq(counted, seen);
	else
		ck_assert_uint_le(counted, seen);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	/* It has exited, but its counts remain. */
	ck_assert_uint_ge(count(reading, target), counted);
}

START_TEST(page_faults)
{
	struct sw_target_task task = { .rank = SW_MISSING };
	struct sw_target target = {
		.cgroup_fd = -1, .sys_fd = -1, .tasks = &task,
		.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY),
		.task_count = 1,
	};
	struct sw_reading reading;
	int hold;

	task.pid = start_held(&hold);
	if (attach(&reading, &target)) {
		/* Faults before its exec do not count. */
		ck_assert_uint_eq(count(&reading, &target), 0);
		close(hold);
		wait_stopped(task.pid);
		compare(&reading, &target, task.pid);
	} else {
		kill(task.pid, SIGKILL);
	}
	sw_reading_close(&reading);
	free(reading.state);
	close(target.proc_fd);
}
END_TEST

int main(int argc, char **argv)
{
	TCase *tcase = tcase_create("pmu_live");

	if (argc > 1 && !strcmp(argv[1], "touch"))
		return touch_all();
	tcase_add_test(tcase, page_faults);
	tcase_set_timeout(tcase, 60);
	return run_tests("pmu_live", tcase, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inherited counters are ended if they would slow down a step. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/sources/pmu/pmu_cost.h"
#include "recorder/sources/reading.h"
#include "test/run_tests.h"
#include "test/unit/recorder/sources/pmu/pmu_kit.h"

static void write_file(int dirfd, const char *name, const char *text)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static int make_proc(const char *last_pid)
{
	char path[] = "/tmp/check-pmu-XXXXXX";
	int fd;

	ck_assert_ptr_nonnull(mkdtemp(path));
	fd = open(path, O_RDONLY | O_DIRECTORY);
	mkdirat(fd, "sys", 0700);
	mkdirat(fd, "sys/kernel", 0700);
	write_file(fd, "sys/kernel/pid_max", "32768\n");
	write_file(fd, "loadavg", last_pid);
	return fd;
}

static void remove_proc(int fd)
{
	char link[64], path[256];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	ck_assert_int_gt(length, 0);
	path[length] = '\0';
	unlinkat(fd, "sys/kernel/pid_max", 0);
	unlinkat(fd, "sys/kernel", AT_REMOVEDIR);
	unlinkat(fd, "sys", AT_REMOVEDIR);
	unlinkat(fd, "loadavg", 0);
	rmdir(path);
	close(fd);
}

/*
 * CPU time of 1 s, so counters may cost 20 ms: 4.2 usec each start with four of
 * them.  Pids have wrapped around in between.
 */
START_TEST(cost)
{
	struct sw_pmu_tasks tasks = { .events = 4 };
	uint64_t now, sec = 1000000;

	tasks.proc_fd = make_proc("0.1 0.1 0.1 1/100 30000\n");
	sw_pmu_cost_open(&tasks);
	now = tasks.last_usec;
	write_file(tasks.proc_fd, "loadavg", "0.1 0.1 0.1 1/100 32000\n");
	ck_assert(!sw_pmu_cost_is_high(&tasks, 1000000000, 0, now += sec));
	write_file(tasks.proc_fd, "loadavg", "0.1 0.1 0.1 1/100 5232\n");
	/* 6,000 starts of others: this step has not waited as often. */
	ck_assert(!sw_pmu_cost_is_high(&tasks, 2000000000, 300, now += sec));
	write_file(tasks.proc_fd, "loadavg", "0.1 0.1 0.1 1/100 11232\n");
	ck_assert(sw_pmu_cost_is_high(&tasks, 3000000000, 20000, now += sec));
	/* The same in 100 seconds of as many processors is negligible. */
	write_file(tasks.proc_fd, "loadavg", "0.1 0.1 0.1 1/100 17232\n");
	ck_assert(!sw_pmu_cost_is_high(&tasks, 103000000000, 40000,
				       now += sec));
	write_file(tasks.proc_fd, "loadavg", "nonsense\n");
	ck_assert(!sw_pmu_cost_is_high(&tasks, 103000000001, 90000,
				       now += sec));
	remove_proc(tasks.proc_fd);
}
END_TEST

/*
 * A short burst of a script is not checked.  Continued starts are, while they
 * may be this step's; then less and less often.
 */
START_TEST(looks)
{
	struct sw_pmu_tasks tasks = { .events = 4 };
	unsigned i, due = 0, pid = 100;
	char text[64];
	uint64_t now;

	tasks.proc_fd = make_proc("0.1 0.1 0.1 1/100 100\n");
	sw_pmu_cost_open(&tasks);
	now = tasks.last_usec;
	write_file(tasks.proc_fd, "loadavg", "0.1 0.1 0.1 1/100 2900\n");
	ck_assert(!sw_pmu_cost_is_due(&tasks, now += 100000));
	ck_assert(!sw_pmu_cost_is_high(&tasks, 1000, 2800, now += 10));
	pid = 2900;
	for (i = 0; i < 12; i++) {
		pid = (pid + 4000) % 32768;
		snprintf(text, sizeof(text), "0.1 0.1 0.1 1/100 %u\n", pid);
		write_file(tasks.proc_fd, "loadavg", text);
		if (!sw_pmu_cost_is_due(&tasks, now += 1000000))
			continue;
		due++;
		/* Others start processes: this one hardly switches. */
		ck_assert(!sw_pmu_cost_is_high(&tasks, 1000, 2900, now));
	}
	ck_assert_uint_eq(due, 4);	/* 1st, 3rd, 6th, 11th */
	remove_proc(tasks.proc_fd);
}
END_TEST

static void set_software(uint64_t enabled_nsec, uint64_t switches)
{
	static const uint64_t configs[] = {
		PERF_COUNT_SW_PAGE_FAULTS, PERF_COUNT_SW_PAGE_FAULTS_MAJ,
		PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_COUNT_SW_CPU_MIGRATIONS,
	};
	size_t i;

	for (i = 0; i < 4; i++)
		pmu_kit_set(&(struct pmu_kit_event){
			.type = PERF_TYPE_SOFTWARE, .config = configs[i],
			.value = switches, .enabled_nsec = enabled_nsec,
			.running_nsec = enabled_nsec });
}

/* They are ended; the counts until then are reported, and the reason. */
START_TEST(too_dear)
{
	const struct sw_target_task task = { .pid = 5000 };
	struct sw_target target = {
		.cgroup_fd = -1, .sys_fd = -1, .tasks = &task,
		.task_count = 1,
		.proc_fd = make_proc("0.1 0.1 0.1 1/100 300\n"),
	};
	struct sw_reading reading;

	pmu_kit_begin();
	set_software(0, 0);
	sw_reading_init(&reading, &sw_src_perf,
			calloc(1, sw_reading_bytes(&sw_src_perf)));
	ck_assert_int_eq(sw_reading_open(&reading, &target), SW_READ_OK);
	ck_assert(!sw_src_perf.is_due(reading.state));
	write_file(target.proc_fd, "loadavg", "0.1 0.1 0.1 1/100 30000\n");
	usleep(2000);
	ck_assert(sw_src_perf.is_due(reading.state));
	set_software(1000000, 20000);
	ck_assert_int_eq(sw_reading_take(&reading, &target), SW_READ_OK);
	ck_assert_uint_eq(reading.rows.count, 1);
	ck_assert_uint_eq(sw_rows_values(&reading.rows, 0)[3], 20000);
	ck_assert_uint_eq(pmu_kit_open_count(), 0);
	ck_assert_int_eq(sw_reading_take(&reading, &target), SW_READ_GONE);
	ck_assert_ptr_nonnull(strstr(sw_src_perf.reason(reading.state,
							      SW_READ_GONE),
				     "many programs or threads"));
	sw_reading_close(&reading);
	free(reading.state);
	remove_proc(target.proc_fd);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("pmu_cost");

	tcase_add_test(tcase, cost);
	tcase_add_test(tcase, looks);
	tcase_add_test(tcase, too_dear);
	return run_tests("pmu_cost", tcase, NULL);
}

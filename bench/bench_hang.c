/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the cost of sampling once what a hanging step waits for: processes
 * with threads that wait for pipes and for locks, up to more than are sampled;
 * and the cost of the child processes that read their stacks meanwhile.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/interval.h"
#include "bench/measure.h"
#include "common/clock.h"
#include "profiles/writer.h"
#include "recorder/processes/tree.h"
#include "recorder/sampler/hang.h"

enum { PROCESSES_MAX = 256, TIMES = 41, STACK_BYTES = 64 << 10 };

static const struct {
	int processes, threads;
} cases[] = { { 1, 1 }, { 1, 8 }, { 8, 8 }, { 64, 8 }, { 256, 16 } };

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_lock(void *nothing)
{
	pthread_mutex_lock(&held);
	return nothing;
}

/* The main thread reads from a pipe that nobody writes to. */
static void hang(int threads, int ready_fd)
{
	pthread_attr_t small;
	pthread_t thread;
	int ends[2];
	char byte = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_BYTES);
	pthread_mutex_lock(&held);
	while (--threads > 0)
		pthread_create(&thread, &small, wait_for_lock, NULL);
	if (pipe(ends) < 0 || write(ready_fd, &byte, 1) != 1 ||
	    read(ends[0], &byte, 1) != 1)
		_exit(1);
}

static int start(pid_t *pids, int processes, int threads)
{
	int i, ready[2];
	char byte;

	if (pipe(ready) < 0)
		return -1;
	for (i = 0; i < processes; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			hang(threads, ready[1]);
		if (pids[i] < 0 || read(ready[0], &byte, 1) != 1)
			return -1;
	}
	close(ready[0]);
	close(ready[1]);
	usleep(200000);		/* until the last threads wait */
	return 0;
}

static void stop(const pid_t *pids, int processes)
{
	int i;

	for (i = 0; i < processes; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < processes; i++)
		waitpid(pids[i], NULL, 0);
}

static double children_msec(void)
{
	struct rusage used;

	getrusage(RUSAGE_CHILDREN, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}

/* Return the CPU time of the children that read stacks, until they end. */
static double await_stacks(struct sw_capture *capture,
			   struct sw_writer *writer, uint64_t step)
{
	double before = children_msec();
	size_t i;

	for (i = 0; i < SW_CAPTURE_PROCESSES; i++) {
		while (capture->one[i].pid) {
			usleep(1000);
			sw_capture_collect(capture, writer, step, false);
		}
	}
	return children_msec() - before;
}

static void measure(struct sw_writer *writer, const struct sw_target *target,
		    int processes, int threads)
{
	const struct sw_hang stands_still = { .since_usec = 1 };
	struct sw_capture capture = { 0 };
	double wall[TIMES], cpu[TIMES], stacks[TIMES];
	struct interval wall_msec, cpu_msec, stacks_msec;
	uint64_t wall_nsec, cpu_nsec;
	int i;

	for (i = 0; i < TIMES; i++) {
		wall_nsec = measure_wall_nsec();
		cpu_nsec = measure_cpu_nsec();
		sw_hang_take(&stands_still, target, writer, &capture,
			     sw_clock_boottime_usec());
		cpu[i] = (double)(measure_cpu_nsec() - cpu_nsec) / 1e6;
		wall[i] = (double)(measure_wall_nsec() - wall_nsec) / 1e6;
		stacks[i] = await_stacks(&capture, writer, target->step);
	}
	wall_msec = interval_of_median(wall, TIMES);
	cpu_msec = interval_of_median(cpu, TIMES);
	stacks_msec = interval_of_median(stacks, TIMES);
	printf("%9d %8d %8.2f (%.2f-%.2f) %8.2f (%.2f-%.2f) "
	       "%8.2f (%.2f-%.2f)\n", processes, threads,
	       wall_msec.value, wall_msec.low, wall_msec.high,
	       cpu_msec.value, cpu_msec.low, cpu_msec.high,
	       stacks_msec.value, stacks_msec.low, stacks_msec.high);
}

static int run(struct sw_writer *writer, struct sw_target *target,
	       int processes, int threads)
{
	struct sw_error error;
	pid_t pids[PROCESSES_MAX];

	if (start(pids, processes, threads) < 0)
		return -1;
	target->tree = sw_tree_create_below(target->proc_fd, getpid(), &error);
	if (!target->tree)
		return -1;
	measure(writer, target, processes, threads);
	sw_tree_destroy(target->tree);
	stop(pids, processes);
	return 0;
}

int main(void)
{
	char folder[] = "/tmp/bench_hang.XXXXXX";
	struct sw_target target = { .cgroup_fd = -1, .sys_fd = -1,
				    .uid = getuid(), .gid = getgid() };
	struct sw_writer *writer;
	struct sw_error error;
	int i, fd, rc = 0;

	/* A measurement's cost is repaid before the next. */
	sw_capture_set_rate(UINT32_MAX);
	target.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY);
	fd = mkdtemp(folder) ? open(folder, O_RDONLY | O_DIRECTORY) : -1;
	writer = fd >= 0 ? sw_writer_create(fd, "hang", true, &error) : NULL;
	if (target.proc_fd < 0 || !writer) {
		perror("bench_hang");
		return 1;
	}
	printf("One sample of a step that stands still, medians of %d with "
	       "95 %% intervals:\n", TIMES);
	puts("processes  threads  wall, msec            CPU, msec"
	     "            CPU of stacks, msec");
	for (i = 0; i < CASES && rc == 0; i++)
		rc = run(writer, &target, cases[i].processes,
			 cases[i].threads);
	sw_writer_finish(writer, sw_clock_boottime_usec(), &error);
	sw_writer_destroy(writer);
	unlinkat(fd, "hang", 0);
	close(fd);
	rmdir(folder);
	return rc ? 1 : 0;
}

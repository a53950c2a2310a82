/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/trace_record: start real worker processes and record 40 values of each
 * and the time, tick by tick, into a trace file for the benchmarks.  The
 * workers' rhythm follows the period, so a faster tick gives a trace of the
 * same shape sooner; the number of ticks and their period are in the file, and
 * should be quoted with any figure derived from it.
 *
 * Stops if a worker ends, and keeps everything recorded until then.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/measure.h"
#include "bench/trace_file.h"
#include "bench/trace_sample.h"
#include "bench/trace_worker.h"
#include "common/clock.h"

enum {
	TASKS_MAX = 1024,
	PPM = 1000000,
	COLUMNS = 1 + TRACE_SAMPLE_COLUMNS,	/* the time comes first */
};

struct settings {
	uint64_t tick_count;
	uint64_t task_count;
	uint64_t period_ms;
	uint64_t load_percent;
	const char *folder;
	const char *output;
};

struct task {
	struct worker_plan plan;
	struct trace_sampler *sampler;
	pid_t pid;
};

static struct settings settings = {
	.tick_count = 2400,
	.task_count = 32,
	.period_ms = 1000,
	.load_percent = 100,
	.folder = "/var/tmp",
};

static struct task tasks[TASKS_MAX];
static char work_folder[PATH_MAX];
static volatile sig_atomic_t is_stopped;

static void stop(int number)
{
	(void)number;
	is_stopped = 1;
}

static void print_usage(FILE *to)
{
	fprintf(to,
		"usage: trace_record [--ticks N] [--tasks N] [--period-ms N]\n"
		"                    [--load PERCENT] [--dir DIR] FILE\n"
		"  --ticks      rows per task (2400)\n"
		"  --tasks      worker processes (32)\n"
		"  --period-ms  from tick to tick (1000)\n"
		"  --load       of one CPU, all workers together (100)\n"
		"  --dir        where the workers' files go (/var/tmp)\n");
}

static int parse_option(int option)
{
	switch (option) {
	case 'n':
		return measure_parse_number(optarg, UINT32_MAX, &settings.tick_count);
	case 't':
		return measure_parse_number(optarg, TASKS_MAX, &settings.task_count);
	case 'p':
		return measure_parse_number(optarg, 3600000, &settings.period_ms);
	case 'l':
		return measure_parse_number(optarg, 100000, &settings.load_percent);
	case 'd':
		settings.folder = optarg;
		return 0;
	}
	return -1;
}

static int parse_arguments(int argc, char **argv)
{
	static const struct option options[] = {
		{ "ticks", required_argument, NULL, 'n' },
		{ "tasks", required_argument, NULL, 't' },
		{ "period-ms", required_argument, NULL, 'p' },
		{ "load", required_argument, NULL, 'l' },
		{ "dir", required_argument, NULL, 'd' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (parse_option(option) < 0)
			return -1;
	if (optind != argc - 1)
		return -1;
	settings.output = argv[optind];
	return 0;
}

/* Start all before opening the first sampler: they would inherit its files. */
static int start_workers(void)
{
	for (uint64_t i = 0; i < settings.task_count; i++) {
		struct task *task = &tasks[i];

		task->plan = (struct worker_plan){
			.index = i,
			.period_usec = settings.period_ms * 1000,
			.load_ppm = settings.load_percent * (PPM / 100) /
				settings.task_count,
			.folder = work_folder,
		};
		task->pid = fork();
		if (task->pid < 0)
			return -1;
		if (task->pid == 0)
			worker_run(&task->plan);
	}
	return 0;
}

static int open_samplers(void)
{
	for (uint64_t i = 0; i < settings.task_count; i++) {
		tasks[i].sampler = trace_sample_open(tasks[i].pid);
		if (tasks[i].sampler == NULL)
			return -1;
	}
	return 0;
}

static void stop_workers(void)
{
	for (uint64_t i = 0; i < settings.task_count; i++) {
		struct task *task = &tasks[i];

		if (task->pid <= 0)
			continue;
		kill(task->pid, SIGKILL);
		while (waitpid(task->pid, NULL, 0) < 0 && errno == EINTR)
			;
		worker_remove_files(&task->plan);
		trace_sample_close(task->sampler);
	}
	rmdir(work_folder);
}

static bool has_lost_worker(void)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return true;
	return info.si_pid != 0;
}

/* Run before the workers, or their load makes every tick late. */
static void raise_priority(void)
{
	enum { AHEAD = -15 };

	if (setpriority(PRIO_PROCESS, 0, AHEAD) < 0)
		fprintf(stderr, "trace_record: no rights to go ahead of the "
			"workers, ticks may be late\n");
}

/*
 * Return true if the tick is late by a period or more; later ticks are then
 * shifted as well, and missed ones are not caught up.
 */
static bool wait_for_tick(struct timespec *next)
{
	uint64_t nsec = (uint64_t)next->tv_nsec +
		settings.period_ms % 1000 * 1000000;
	struct timespec now;
	long late_ms;

	next->tv_sec += (time_t)(settings.period_ms / 1000 +
				 nsec / 1000000000);
	next->tv_nsec = (long)(nsec % 1000000000);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL) ==
	       EINTR && !is_stopped)
		;
	clock_gettime(CLOCK_MONOTONIC, &now);
	late_ms = (now.tv_sec - next->tv_sec) * 1000 +
		(now.tv_nsec - next->tv_nsec) / 1000000;
	if (late_ms < (long)settings.period_ms)
		return false;
	*next = now;
	return true;
}

static int record_tick(int fd)
{
	uint64_t values[COLUMNS];

	for (uint64_t i = 0; i < settings.task_count; i++) {
		trace_sample_take(tasks[i].sampler, values + 1);
		values[0] = sw_clock_boottime_usec();
		if (trace_file_write_values(fd, values, COLUMNS) < 0)
			return -1;
	}
	return 0;
}

static int record(int fd, struct trace *trace)
{
	struct timespec next;
	uint64_t late_count = 0;
	int result = 0;

	clock_gettime(CLOCK_MONOTONIC, &next);
	while (trace->tick_count < settings.tick_count && !is_stopped) {
		late_count += wait_for_tick(&next);
		if (has_lost_worker()) {
			fprintf(stderr, "trace_record: a worker has ended\n");
			result = -1;
			break;
		}
		if (record_tick(fd) < 0) {
			perror(settings.output);
			return -1;
		}
		trace->tick_count++;
	}
	if (trace_file_write_header(fd, trace) < 0) {
		perror(settings.output);
		return -1;
	}
	printf("%llu ticks of %llu ms, %llu tasks, %d values, "
	       "%llu late by a period or more\n",
	       (unsigned long long)trace->tick_count,
	       (unsigned long long)settings.period_ms,
	       (unsigned long long)settings.task_count, TRACE_SAMPLE_COLUMNS,
	       (unsigned long long)late_count);
	return result;
}

int main(int argc, char **argv)
{
	const struct sigaction action = { .sa_handler = stop };
	struct trace trace = { .column_count = COLUMNS };
	int result = -1;
	int fd;

	if (parse_arguments(argc, argv) < 0) {
		print_usage(stderr);
		return 2;
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	trace.period_usec = settings.period_ms * 1000;
	trace.task_count = settings.task_count;
	trace.columns[0] = trace_file_time_column;
	trace_sample_columns(trace.columns + 1);
	fd = open(settings.output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		  0666);
	snprintf(work_folder, sizeof(work_folder), "%s/trace_record.XXXXXX",
		 settings.folder);
	if (fd < 0 || trace_file_write_header(fd, &trace) < 0) {
		perror(settings.output);
	} else if (mkdtemp(work_folder) == NULL) {
		perror(work_folder);
	} else if (start_workers() < 0 || open_samplers() < 0) {
		perror("workers");
	} else {
		raise_priority();
		result = record(fd, &trace);
	}
	stop_workers();
	if (fd >= 0 && close(fd) < 0)
		result = -1;
	return result < 0 ? 1 : 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that bench_recorder records: a given number of tasks of one
 * process each, which mostly sleep, until their standard input ends.
 */
#ifndef BENCH_RECORDER_WORKERS_H
#define BENCH_RECORDER_WORKERS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"

enum { WORKERS_MAX = 512 };

/* Tasks and their cgroups; cgroups[i] is "" if a task has none. */
struct workers {
	size_t count;
	pid_t pids[WORKERS_MAX];
	char cgroups[WORKERS_MAX][PATH_MAX];
};

/*
 * Run in the command: be the first task and the parent of the others, with a
 * cgroup for each below the command's own if requested, and report each on
 * standard output.  Returns the exit status.
 */
int workers_run(size_t count, bool has_cgroups);

/* Read the reports of count tasks of workers_run(); -1 with *error. */
int workers_read(struct workers *workers, size_t count, int fd,
		 struct sw_error *error);

#endif

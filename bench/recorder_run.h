/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run of bench_recorder: the recorder as "stepwell run" starts it, on tasks
 * that mostly sleep, and beside it Slurm's reads for the same tasks, as often
 * and at the same time.
 */
#ifndef BENCH_RECORDER_RUN_H
#define BENCH_RECORDER_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* A backend of the recorder, and how to select it. */
struct recorder_mode {
	const char *name;
	const char *backend;		/* prefix of steps.backend */
	const char *programs;		/* STEPWELL_PROGRAMS */
	bool has_cgroup;
};

struct recorder_task {
	const struct recorder_mode *mode;
	const char *recorder_path;
	const char *profile_path;
	size_t tasks;
	uint64_t period_ms;
	uint64_t samples;		/* of either side, approximately */
};

enum { RECORDER_HELPERS_MAX = 4 };

/* CPU time; the recorder's three parts sum up to its total. */
struct recorder_costs {
	uint64_t launch_nsec;		/* until tasks and BPF were up */
	uint64_t sample_nsec;		/* mean of the counted samples */
	uint64_t samples;
	uint64_t end_nsec;		/* from the end of the tasks on */
	uint64_t total_nsec;		/* by its and its helpers' clocks */
	uint64_t own_nsec;		/* as reported in the profile */
	uint64_t looks;			/* readings of its clock */
	uint64_t jobacct_nsec;		/* mean of a sample */
	uint64_t jobacct_files;		/* per sample */
	uint64_t jobacct_missing;	/* could not be opened */
	bool is_other_backend;		/* the rest is invalid then */
	char backend[256];
};

/*
 * Run once, and check the recorder's own account against its clock, and that
 * both sides saw every task.  Returns -1 with *error if a check or anything
 * else fails.
 */
int recorder_run(const struct recorder_task *task,
		 struct recorder_costs *costs, struct sw_error *error);

#endif

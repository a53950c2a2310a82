/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of bench_recorder: the recorder as "stepwell run" starts it, on
 * tasks that mostly sleep, and beside it the reads of Slurm for the same
 * tasks, as often and at the same time.
 */
#ifndef BENCH_RECORDER_RUN_H
#define BENCH_RECORDER_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* A backend of the recorder's backend, and how it is made to take it. */
struct recorder_mode {
	const char *name;
	const char *backend;		/* how steps.backend begins */
	const char *programs;		/* STEPWELL_PROGRAMS */
	bool has_cgroup;
};

struct recorder_task {
	const struct recorder_mode *mode;
	const char *recorder_path;
	const char *profile_path;
	size_t tasks;
	uint64_t period_ms;
	uint64_t samples;		/* of either side, about */
};

enum { RECORDER_HELPERS_MAX = 4 };

/* CPU time; the recorder's three parts are all that it used. */
struct recorder_costs {
	uint64_t launch_nsec;		/* until the tasks were up, and BPF */
	uint64_t sample_nsec;		/* mean of the samples counted */
	uint64_t samples;
	uint64_t end_nsec;		/* from the end of the tasks on */
	uint64_t total_nsec;		/* by its clock and its helpers', seen
					 * from outside */
	uint64_t own_nsec;		/* as it says itself, in the profile */
	uint64_t looks;			/* at its clock meanwhile */
	uint64_t jobacct_nsec;		/* mean of a sample */
	uint64_t jobacct_files;		/* in a sample */
	uint64_t jobacct_missing;	/* not there to be opened */
	bool is_other_backend;		/* nothing else holds then */
	char backend[256];
};

/*
 * Runs, and checks the recorder's account of itself against its clock, and
 * that both sides saw every task.  Returns -1 with *error where a check does
 * not hold or something fails.
 */
int recorder_run(const struct recorder_task *task,
		 struct recorder_costs *costs, struct sw_error *error);

#endif

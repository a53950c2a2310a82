/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs of jobs: the Standard Workload Format of the Parallel Workloads Archive
 * (*.swf) and the CSV of NREL's eagle-jobs, optionally compressed by gzip.
 */
#ifndef SW_BENCH_JOBLOG_H
#define SW_BENCH_JOBLOG_H

#include <stddef.h>

#include "advice/run.h"

struct joblog_job {
	struct sw_run run;	/* times, cores, state */
	double submit_seconds;	/* same epoch as the run's times */
	size_t user, group;	/* from 0 */
};

struct joblog {
	struct joblog_job *jobs;	/* in order of submission */
	size_t count, size;
	size_t users, groups;
	size_t left_out;	/* without a time or a limit */
};

/*
 * Jobs are the same work if they have the same user, program or name, number of
 * processors and requested time.  0, or -1 with a message on stderr.
 */
int joblog_read(const char *path, struct joblog *log);
void joblog_fini(struct joblog *log);

#endif

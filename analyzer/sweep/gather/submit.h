/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Submit a sweep as a job array: each task sweeps a part of the users, and a
 * final job merges the parts and prints the page.
 */
#ifndef SW_ANALYZER_SWEEP_GATHER_SUBMIT_H
#define SW_ANALYZER_SWEEP_GATHER_SUBMIT_H

#include <limits.h>
#include <stdint.h>

#include "common/error.h"

/* Slurm's default MaxArraySize rejects more. */
enum { SW_SUBMIT_PARTS_MAX = 1000 };

struct sw_submission {
	const char *program; /* path of stepwell on all nodes */
	const char *folder;  /* of past nights, on all nodes */
	uint64_t from_seconds, until_seconds;
	uint64_t parts;
	const char *after; /* job that has to end first; or NULL */
	/* Further arguments of "stepwell merge", NULL-terminated. */
	const char *const *options;
};

struct sw_submitted {
	char parts_job[32], page_job[32];
	char page[PATH_MAX]; /* path of the page */
};

/*
 * Submit the jobs; options of sbatch that are not needed here come from the
 * environment (SBATCH_PARTITION and others).  Return 0, or -1 with *error: then
 * no job runs, or the error names the one that does.
 */
int sw_sweep_submit(struct sw_submitted *submitted,
		    const struct sw_submission *submission,
		    struct sw_error *error);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sweep as a job array of the cluster itself: each task sweeps one part of
 * the users, and a job behind all of them joins the parts and prints the page.
 */
#ifndef SW_ANALYZER_SWEEP_GATHER_SUBMIT_H
#define SW_ANALYZER_SWEEP_GATHER_SUBMIT_H

#include <limits.h>
#include <stdint.h>

#include "common/error.h"

/* Beyond this Slurm's default MaxArraySize refuses it. */
enum { SW_SUBMIT_PARTS_MAX = 1000 };

struct sw_submission {
	const char *program; /* stepwell, where all nodes have it */
	const char *folder;  /* of past nights, which all nodes see */
	uint64_t from_seconds, until_seconds;
	uint64_t parts;
	const char *after; /* a job that has to end first; or NULL */
	/* Further words for "stepwell merge", NULL last. */
	const char *const *options;
};

struct sw_submitted {
	char parts_job[32], page_job[32];
	char page[PATH_MAX]; /* where it will be */
};

/*
 * Options of sbatch other than those that are needed come from the environment
 * (SBATCH_PARTITION and others).  0, or -1 with *error; nothing runs then, or
 * the error names the job that does.
 */
int sw_sweep_submit(struct sw_submitted *submitted,
		    const struct sw_submission *submission,
		    struct sw_error *error);

#endif

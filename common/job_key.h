/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which job, in the scheduler's numbers: the same in a plugin's message, a
 * profile, a node's summary and a view.  As users write it, it is a struct
 * sw_jobid.  The cluster is not here, for it is text, and not of the same
 * owner everywhere.
 */
#ifndef SW_COMMON_JOB_KEY_H
#define SW_COMMON_JOB_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/jobid.h"
#include "common/missing.h"

struct sw_job_key {
	uint64_t job_id;	/* of the array element, the het component */
	uint64_t array_job_id, array_task_id;	/* SW_MISSING: no array */
	uint64_t het_job_id, het_component;	/* SW_MISSING: not het */
	uint64_t restart_count;	/* requeued so often before; SW_MISSING */
	uint64_t uid;		/* the job's user */
};

/* A job of which nothing is known, or none. */
#define SW_JOB_KEY_MISSING                                                     \
	{ SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING,          \
	  SW_MISSING, SW_MISSING }

/*
 * Whether the job can be the component that it says to be: Slurm gives the
 * components of a job ids in a row.  The recorder knows them from the job's
 * environment alone, which is the user's.
 */
bool sw_job_key_is_component(const struct sw_job_key *key);

/* The job as sacct(1) prints it, without a step: "123", "120_3", "120+1". */
struct sw_jobid sw_job_key_id(const struct sw_job_key *key);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identify a job by the scheduler's numbers: used by a plugin's message, a
 * profile, a node's summary and a view.  The form that users type is struct
 * sw_jobid.  The cluster is not included: it is text, with a different owner in
 * each place.
 */
#ifndef SW_COMMON_JOB_KEY_H
#define SW_COMMON_JOB_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/jobid.h"
#include "common/missing.h"

struct sw_job_key {
	uint64_t job_id;	/* of the array element or het component */
	uint64_t array_job_id, array_task_id;	/* SW_MISSING: no array */
	uint64_t het_job_id, het_component;	/* SW_MISSING: not het */
	uint64_t restart_count;	/* number of requeues; SW_MISSING */
	uint64_t uid;		/* the job's user */
};

/* No job, or an unknown one. */
#define SW_JOB_KEY_MISSING                                                     \
	{ SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING,          \
	  SW_MISSING, SW_MISSING }

/*
 * Return the job as sacct(1) prints it, without a step: "123", "120_3",
 * "120+1".
 */
struct sw_jobid sw_job_key_id(const struct sw_job_key *key);

#endif

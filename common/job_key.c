/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Identify a job by the scheduler's numbers. */
#include "common/job_key.h"

/*
 * Is the claimed component plausible?  Slurm assigns consecutive ids to the
 * components of a job.  The recorder knows them only from the job's
 * environment, which the user controls.
 */
static bool is_component(const struct sw_job_key *key)
{
	return !sw_is_missing(key->het_job_id) &&
	       !sw_is_missing(key->het_component) &&
	       key->job_id == key->het_job_id + key->het_component;
}

struct sw_jobid sw_job_key_id(const struct sw_job_key *key)
{
	struct sw_jobid id = {
		.job = key->job_id,
		.array_task = SW_MISSING, .het_component = SW_MISSING,
	};

	if (!sw_is_missing(key->array_job_id) &&
	    !sw_is_missing(key->array_task_id)) {
		id.job = key->array_job_id;
		id.array_task = key->array_task_id;
	} else if (is_component(key)) {
		id.job = key->het_job_id;
		id.het_component = key->het_component;
	}
	return id;
}

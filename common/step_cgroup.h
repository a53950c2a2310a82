/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find jobs and steps in the paths of Slurm's cgroups: "…/job_<id>/step_<s>/…",
 * and "…/<SLUID>/step_<s>/…" since 26.05 unless cgroup.conf has
 * CgroupJobIdPaths=yes.
 */
#ifndef SW_COMMON_STEP_CGROUP_H
#define SW_COMMON_STEP_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SW_CGROUP_FORM_SIZE = 128 };

struct sw_step_cgroup {
	/* Length of the path including the folder of the job, of the step. */
	size_t job_length, step_length;
	/* The path has no job id: it alone does not identify the job. */
	bool is_sluid;
};

/*
 * Are these length characters a SLUID as Slurm prints it: "s" and 13 characters
 * of Crockford's Base32?  The SLUID of number 0 belongs to no job.
 */
bool sw_is_sluid(const char *text, size_t length);

/*
 * Find the folders of this job and its step in the path of a cgroup below them.
 * Returns false if the path has neither form.
 */
bool sw_step_cgroup_find(const char *path, uint32_t job_id,
			 struct sw_step_cgroup *found);

/*
 * Generalize the path: N for each number, X for each other word with a digit,
 * as in "/system.slice/X_slurmstepd.scope/job_N/step_N/user".
 */
void sw_cgroup_form(const char *path, char *form, size_t size);

#endif

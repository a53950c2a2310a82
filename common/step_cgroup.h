/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How Slurm names the cgroups of jobs and steps: "…/job_<id>/step_<s>/…", and
 * "…/<SLUID>/step_<s>/…" since 26.05 unless cgroup.conf says
 * CgroupJobIdPaths=yes.
 */
#ifndef SW_COMMON_STEP_CGROUP_H
#define SW_COMMON_STEP_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SW_CGROUP_FORM_SIZE = 128 };

struct sw_step_cgroup {
	/* Of the path, up to and with the folder of the job, of the step. */
	size_t job_length, step_length;
	/* No job is named: the path alone does not say whose it is. */
	bool is_sluid;
};

/*
 * Are these length characters a SLUID as Slurm prints it: "s" and 13 characters
 * of Crockford's Base32?  That of number 0 is no job's.
 */
bool sw_is_sluid(const char *text, size_t length);

/*
 * Find the folders of this job and its step in the path of a cgroup in them;
 * false where the path has neither form.
 */
bool sw_step_cgroup_find(const char *path, uint32_t job_id,
			 struct sw_step_cgroup *found);

/*
 * The path without what it names: N for each number, X for each other word with
 * a digit, as in "/system.slice/X_slurmstepd.scope/job_N/step_N/user".
 */
void sw_cgroup_form(const char *path, char *form, size_t size);

#endif

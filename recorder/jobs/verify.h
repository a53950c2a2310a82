/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verify messages: nothing is trusted that the kernel can confirm. */
#ifndef SW_RECORDER_VERIFY_H
#define SW_RECORDER_VERIFY_H

#include <stdbool.h>

#include "common/protocol.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/sources/source.h"

/* Does this slurmstepd exist with this start time? */
bool sw_node_is_stepd(int proc_fd, const struct sw_message_step *step);

/*
 * Is the task's process the right one, and of this step: in its cgroup, or
 * without one a child of its slurmstepd?
 */
bool sw_node_is_task(int proc_fd, const struct sw_message_step *step,
		     const struct sw_message_task *task);

/*
 * Open the step's cgroup; -1 with errno: its path has none of Slurm's forms for
 * this job (EINVAL); the path has no job id, and the step's slurmstepd is not
 * in it (EPERM); or it does not exist.  No link is followed.
 */
int sw_node_open_cgroup(int cgroup_root_fd, int proc_fd,
			const struct sw_message_step *step);

/*
 * Find the cgroup of tasks that the plugin found in none of Slurm's, if it is
 * not that of their slurmstepd: then it was made for them.  False: it was not,
 * or is unknown.
 */
bool sw_node_find_elsewhere(int proc_fd,
			    const struct sw_message_step_start *start,
			    char *path, size_t size);

/*
 * Open the step's folders in the trees of cgroup v1 in which one of its tasks
 * is.
 */
void sw_node_open_v1(struct sw_cgroup_v1 *v1, const struct sw_cgroup_v1 *roots,
		     int proc_fd, const struct sw_message_step *step,
		     const struct sw_message_task *tasks, uint32_t task_count);

/* Open the job's folders above those of the step, in v1 that of memory. */
void sw_node_open_job(struct sw_target_job *job, int cgroup_root_fd,
		      const struct sw_cgroup_v1 *v1_roots,
		      const struct sw_message_step *step);

/* Does the job's cgroup exist, above that of the step? */
bool sw_node_has_job_cgroup(int cgroup_root_fd,
			    const struct sw_cgroup_v1 *v1_roots,
			    const struct sw_message_step *step);

/* Does the hook at the other end still wait for its answer?  -1: no hook. */
bool sw_node_peer_waits(int peer_fd);

#endif

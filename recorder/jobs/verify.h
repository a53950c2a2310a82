/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing in a message is believed that the kernel can be asked. */
#ifndef SW_RECORDER_VERIFY_H
#define SW_RECORDER_VERIFY_H

#include <stdbool.h>

#include "common/protocol.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/sources/source.h"

/* Is there such a slurmstepd, and has it begun when it says? */
bool sw_node_is_stepd(int proc_fd, const struct sw_message_step *step);

/*
 * Is the task's process the one that was meant, and of this step: in its
 * cgroup, or where there is none a child of its slurmstepd?
 */
bool sw_node_is_task(int proc_fd, const struct sw_message_step *step,
		     const struct sw_message_task *task);

/*
 * The step's cgroup, open; -1 with errno: its path has none of Slurm's forms
 * for this job (EINVAL); the path names no job, and the step's slurmstepd is
 * not in it (EPERM); or it is not there.  No link is followed.
 */
int sw_node_open_cgroup(int cgroup_root_fd, int proc_fd,
			const struct sw_message_step *step);

/*
 * Where the tasks are that the plugin found in none of Slurm's cgroups, if that
 * is not where their slurmstepd is: the cgroup was made for them.  False: it
 * was not, or this is not known.
 */
bool sw_node_find_elsewhere(int proc_fd,
			    const struct sw_message_step_start *start,
			    char *path, size_t size);

/*
 * The step's folders in the trees of cgroup v1: of those in which one of its
 * tasks says that it is.
 */
void sw_node_open_v1(struct sw_cgroup_v1 *v1, const struct sw_cgroup_v1 *roots,
		     int proc_fd, const struct sw_message_step *step,
		     const struct sw_message_task *tasks, uint32_t task_count);

/* The job's folders above those of the step, of v1 that of memory. */
void sw_node_open_job(struct sw_target_job *job, int cgroup_root_fd,
		      const struct sw_cgroup_v1 *v1_roots,
		      const struct sw_message_step *step);

/* Is the job's cgroup there, above that of the step? */
bool sw_node_has_job_cgroup(int cgroup_root_fd,
			    const struct sw_cgroup_v1 *v1_roots,
			    const struct sw_message_step *step);

/* Does the hook at the other end still wait for its answer?  -1: nobody. */
bool sw_node_peer_waits(int peer_fd);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translate pids in a message from another pid namespace: Slurm's
 * namespace/linux (25.11) can start slurmstepd in one of its job's.
 */
#ifndef SW_RECORDER_PIDS_H
#define SW_RECORDER_PIDS_H

#include <sys/types.h>

#include "common/protocol.h"

/*
 * Replace the pids of slurmstepd, and in a STEP_START of the tasks, by those in
 * this namespace, if the sender, peer_pid here, is in another one.  The pid of
 * a task that is not found is 0; nothing is changed without slurmstepd.
 */
void sw_node_pids_translate(int proc_fd, pid_t peer_pid,
			    union sw_message *message);

#endif

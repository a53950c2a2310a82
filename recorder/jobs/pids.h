/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of processes in a message that comes from another pid namespace:
 * Slurm's namespace/linux (25.11) can start slurmstepd in one of its job's.
 */
#ifndef SW_RECORDER_PIDS_H
#define SW_RECORDER_PIDS_H

#include <sys/types.h>

#include "common/protocol.h"

/*
 * Give slurmstepd, and in a STEP_START the tasks, the numbers that the kernel
 * has for them here, if the sender, peer_pid here, is in another namespace.  A
 * task that is not found has 0; nothing is changed where slurmstepd is not.
 */
void sw_node_pids_translate(int proc_fd, pid_t peer_pid,
			    union sw_message *message);

#endif

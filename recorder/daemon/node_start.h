/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Start of the node's recorder: whether the caller is a systemd unit or slurmd,
 * nothing is kept of it except standard error for messages.
 */
#ifndef SW_RECORDER_NODE_START_H
#define SW_RECORDER_NODE_START_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "recorder/daemon/node.h"

/*
 * Continue in a child with its own session.  Return there with a descriptor for
 * sw_node_ready(), or -1 with *error.  The caller's process waits for that and
 * exits, with 0 if the child was ready.
 */
int sw_node_detach(struct sw_error *error);
void sw_node_ready(int ready_fd);

/*
 * Lock the file next to the socket until exit; creates the directory.  The
 * unit, for which systemd has created the socket, waits for the lock
 * indefinitely: a recorder started by slurmd notices the socket and ends.
 * Other recorders give way to the one that serves the socket.  Return 0; 1 if
 * another one serves, or, for the unit, if recording is switched off meanwhile;
 * -1 with *error.
 */
int sw_node_lock(const struct sw_node_options *options, bool is_unit,
		 struct sw_error *error);

/*
 * Redirect standard error to the file "log" next to the socket: slurmd's own is
 * lost.  Call with the lock held.
 */
void sw_node_open_log(const char *socket_path);

/*
 * Enter a cgroup with a memory limit, close the caller's descriptors except
 * keep_fd and ready_fd (-1: none), and reset signals, priority, limits, umask,
 * working directory and environment.  Failures are logged and not fatal.
 */
void sw_node_leave_caller(int ready_fd, int keep_fd);

/*
 * Return the number of OOM kills of recorders in their cgroup: oom_kill of its
 * memory.events and of v1's memory.oom_control; 0 if there is none.  Roots may
 * be -1.
 */
uint32_t sw_node_count_oom_kills(int cgroup_root_fd, int v1_memory_fd);

/* Remove the recorders' cgroup below this root. */
void sw_node_remove_cgroup(int cgroup_root_fd);

/* Open the root of the cgroup v2 file system; -1: none. */
int sw_node_open_cgroups(void);

#endif

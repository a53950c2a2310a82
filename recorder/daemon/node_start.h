/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Becoming the node's recorder: whatever the caller was, a unit of systemd or
 * slurmd, nothing of it is left but the standard error to complain to.
 */
#ifndef SW_RECORDER_NODE_START_H
#define SW_RECORDER_NODE_START_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "recorder/daemon/node.h"

/*
 * Go on in a child of a session of its own.  Returns there with a descriptor
 * to give to sw_node_ready(), or -1 with *error.  The caller's process waits
 * for that and exits, with 0 where the child was ready.
 */
int sw_node_detach(struct sw_error *error);
void sw_node_ready(int ready_fd);

/*
 * Hold the lock beside the socket for life; the folder is made.  The unit, whose
 * socket systemd has put at the path, waits for it as long as it takes: a
 * recorder that slurmd started sees the socket and makes room.  Every other one
 * gives way to what serves the socket.  Returns 0; 1 where another one serves,
 * or for the unit: where recording is switched off meanwhile; -1 with *error.
 */
int sw_node_lock(const struct sw_node_options *options, bool is_unit,
		 struct sw_error *error);

/*
 * Standard error becomes the file "log" beside the socket: slurmd's own goes
 * nowhere.  Call with the lock held.
 */
void sw_node_open_log(const char *socket_path);

/*
 * A cgroup of its own with a limit of memory, no descriptors of the caller but
 * keep_fd and ready_fd (-1: none), and clean signals, priority, limits, umask,
 * folder and environment.  What cannot be had is said and done without.
 */
void sw_node_leave_caller(int ready_fd, int keep_fd);

/*
 * How often recorders were killed in it: oom_kill of its memory.events and of
 * v1's memory.oom_control; 0 where it has none.  Roots of -1 are none.
 */
uint32_t sw_node_count_oom_kills(int cgroup_root_fd, int v1_memory_fd);

/* Leave nothing behind in the tree of this root. */
void sw_node_remove_cgroup(int cgroup_root_fd);

/* The root of cgroup v2's file system, open; -1 where there is none. */
int sw_node_open_cgroups(void);

#endif

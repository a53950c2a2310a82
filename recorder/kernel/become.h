/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dropping privileges for good. */
#ifndef SW_RECORDER_BECOME_H
#define SW_RECORDER_BECOME_H

#include <sys/resource.h>
#include <sys/types.h>

/*
 * Change this process, a single-threaded child, to the user for good: no group
 * but gid, no new privileges by execve(), not traceable by the user's other
 * processes.  Return 0, or -1 with errno; the caller must then exit.
 */
int sw_become(uid_t uid, gid_t gid);

/* Likewise without capabilities, even for root, and unable to fork. */
int sw_become_alone(uid_t uid, gid_t gid);

/*
 * Prepare a child of the recorder: reset signal handlers and the signal mask,
 * and kill it when the recorder, whose pid is parent, exits.
 */
void sw_become_child(pid_t parent);

/* Set the hard and soft limit of this process (setrlimit(2)). */
void sw_become_limit(int resource, rlim_t value);

#endif

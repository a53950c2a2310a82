/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Becoming somebody who may do less, for good. */
#ifndef SW_RECORDER_BECOME_H
#define SW_RECORDER_BECOME_H

#include <sys/resource.h>
#include <sys/types.h>

/*
 * This process, a child with one thread, becomes the user for good: no group
 * but gid, no new rights by executing, not to be traced by the user's other
 * processes.  -1 with errno, and the caller must end then.
 */
int sw_become(uid_t uid, gid_t gid);

/* Likewise, with no capability, of root either, and to start no process. */
int sw_become_alone(uid_t uid, gid_t gid);

/*
 * Likewise from the recorder's child: its handlers and blocked signals are not
 * this one's, and it ends with the recorder, whose pid is parent.
 */
void sw_become_child(pid_t parent);

/* A limit of this process (setrlimit(2)), hard and soft. */
void sw_become_limit(int resource, rlim_t value);

#endif

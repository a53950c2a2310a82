/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control files of a cgroup directory: members and controllers. */
#ifndef SW_RECORDER_CGROUP_CONTROL_H
#define SW_RECORDER_CGROUP_CONTROL_H

#include <stdbool.h>
#include <sys/types.h>

#include "recorder/cgroup/cgroup.h"

/* Read the beginning of a file, NUL-terminated; return its length, or -1. */
ssize_t sw_cgroup_read(int dirfd, const char *name, char *buf, size_t size);

/* Return true if word is in the space-separated list. */
bool sw_cgroup_has_word(const char *list, const char *word);

/* Move a process into the cgroup.  Return 0, or -1 with errno. */
int sw_cgroup_move(int dirfd, pid_t pid);

/* Return true if this process is the only one directly in the cgroup. */
bool sw_cgroup_is_alone(int dirfd);

/* Return true for the root of the hierarchy, false for that of a namespace. */
bool sw_cgroup_is_true_root(int dirfd);

/* Keep the cgroup from being removed as stale while fd is open. */
void sw_cgroup_hold(int fd);

/* Remove the empty cgroups left by recorders that have exited. */
void sw_cgroup_remove_stale(int parent_fd);

/*
 * Enable controllers below parent_fd that are available but disabled, and
 * disable them again unless another recording uses them.
 */
void sw_cgroup_enable(struct sw_cgroup *cgroup);
void sw_cgroup_disable(struct sw_cgroup *cgroup);

#endif

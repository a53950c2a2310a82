/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control files of a cgroup folder: members and controllers. */
#ifndef SW_RECORDER_CGROUP_CONTROL_H
#define SW_RECORDER_CGROUP_CONTROL_H

#include <stdbool.h>
#include <sys/types.h>

#include "recorder/cgroup/cgroup.h"

/* The beginning of a file, NUL-terminated; its length, or -1. */
ssize_t sw_cgroup_read(int dirfd, const char *name, char *buf, size_t size);

/* Is word one of the words of list, which spaces separate? */
bool sw_cgroup_has_word(const char *list, const char *word);

/* Move a process into the cgroup; 0, or -1 with errno. */
int sw_cgroup_move(int dirfd, pid_t pid);

/* Is this process the only one right in the cgroup? */
bool sw_cgroup_is_alone(int dirfd);

/* Is it the root of the hierarchy, and not only of a namespace? */
bool sw_cgroup_is_true_root(int dirfd);

/* Keep the cgroup from being removed as stale while fd is open. */
void sw_cgroup_hold(int fd);

/* Remove what recorders that are no more have left, where it is empty. */
void sw_cgroup_remove_stale(int parent_fd);

/*
 * Hand controllers down from parent_fd: what there is and is off is switched
 * on, and off again unless another recording uses it.
 */
void sw_cgroup_enable(struct sw_cgroup *cgroup);
void sw_cgroup_disable(struct sw_cgroup *cgroup);

#endif

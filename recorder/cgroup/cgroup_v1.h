/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The backend below cgroup v2: folders in the trees of version 1, where each
 * controller has one of its own
 * (Documentation/admin-guide/cgroup-v1/cgroups.rst).  A path is always what
 * /proc/PID/cgroup says, never built.
 */
#ifndef SW_RECORDER_CGROUP_V1_H
#define SW_RECORDER_CGROUP_V1_H

#include <stdbool.h>
#include <stdint.h>

/*
 * "blkio" is not among them: it charges what is written back later to its
 * root, so that the bytes of the processes are the better ones.
 */
enum sw_v1_controller {
	SW_V1_MEMORY,
	SW_V1_CPUACCT,
	SW_V1_CPU,
	SW_V1_CONTROLLERS
};

struct sw_cgroup_v1 {
	int fd[SW_V1_CONTROLLERS];	/* a folder; -1: none */
};

/* The kernel's name of it. */
const char *sw_v1_name(enum sw_v1_controller controller);

/* Is there a folder that memory or CPU time is counted in?  NULL: no. */
bool sw_cgroup_v1_is_any(const struct sw_cgroup_v1 *cgroup);

void sw_cgroup_v1_none(struct sw_cgroup_v1 *cgroup);
void sw_cgroup_v1_close(struct sw_cgroup_v1 *cgroup);

/* The roots of the trees that are mounted. */
void sw_cgroup_v1_open_roots(struct sw_cgroup_v1 *roots, int proc_fd);

/* Where this process is, with whoever else is there. */
void sw_cgroup_v1_open_own(struct sw_cgroup_v1 *own, int proc_fd);

/* A limit as v1 says it, SW_MISSING where that is "none". */
uint64_t sw_v1_limit(uint64_t bytes);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fallback for cgroup v2: directories in the trees of version 1, where each
 * controller has its own (Documentation/admin-guide/cgroup-v1/cgroups.rst).  A
 * path always comes from /proc/PID/cgroup and is never constructed.
 */
#ifndef SW_RECORDER_CGROUP_V1_H
#define SW_RECORDER_CGROUP_V1_H

#include <stdbool.h>
#include <stdint.h>

/*
 * "blkio" is not used: it charges delayed writeback to its root, so the bytes
 * counted per process are better.
 */
enum sw_v1_controller {
	SW_V1_MEMORY,
	SW_V1_CPUACCT,
	SW_V1_CPU,
	SW_V1_CONTROLLERS
};

struct sw_cgroup_v1 {
	int fd[SW_V1_CONTROLLERS];	/* a directory, or -1 */
};

/* Return the kernel's name of the controller. */
const char *sw_v1_name(enum sw_v1_controller controller);

/* Return true if a directory counts memory or CPU time.  Accepts NULL. */
bool sw_cgroup_v1_is_any(const struct sw_cgroup_v1 *cgroup);

void sw_cgroup_v1_none(struct sw_cgroup_v1 *cgroup);
void sw_cgroup_v1_close(struct sw_cgroup_v1 *cgroup);

/* Open the roots of the mounted trees. */
void sw_cgroup_v1_open_roots(struct sw_cgroup_v1 *roots, int proc_fd);

/* Open the cgroups of this process, which may be shared with others. */
void sw_cgroup_v1_open_own(struct sw_cgroup_v1 *own, int proc_fd);

/* Return a v1 limit, or SW_MISSING for "none". */
uint64_t sw_v1_limit(uint64_t bytes);

#endif

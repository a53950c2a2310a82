/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine and the cgroups above would give to the command. */
#ifndef SW_RECORDER_AVAILABLE_H
#define SW_RECORDER_AVAILABLE_H

#include <stdint.h>

struct sw_cgroup_v1;

struct sw_available {
	uint64_t node_cpus;		/* online */
	uint64_t node_memory_bytes;	/* MemTotal */
	uint64_t cpus_milli;		/* affinity mask and quotas */
	uint64_t memory_bytes;		/* MemTotal and cgroup limits */
};

/*
 * Read the limits.  cgroup_fd is the directory of the cgroup to start from, or
 * -1; v1 are those in the trees of cgroup v1, or NULL.  Unknown values are
 * SW_MISSING.
 */
void sw_available_read(struct sw_available *available, int proc_fd,
		       int cgroup_fd, const struct sw_cgroup_v1 *v1);

/*
 * Read the smallest cpu.max (in 1/1000 CPU) and memory.max from the cgroup
 * directory up to the root of its file system; SW_MISSING if unlimited.
 */
void sw_available_in_cgroup(int cgroup_fd, uint64_t *cpus_milli,
			    uint64_t *memory_bytes);

/*
 * Open the nearest parent cgroup with a cpu.max, to be closed by the caller.
 * Return -1 if there is none.
 */
int sw_available_open_quota_above(int cgroup_fd);

/*
 * Likewise in the trees of cgroup v1: memory.limit_in_bytes and
 * cpu.cfs_quota_us, of the directories and their parents; and the nearest
 * directory with a quota, starting at fd.
 */
void sw_available_in_v1(const struct sw_cgroup_v1 *v1, uint64_t *cpus_milli,
			uint64_t *memory_bytes);
int sw_available_open_quota_v1(int fd);

#endif

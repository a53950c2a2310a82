/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine and the cgroups above would give to the command. */
#ifndef SW_RECORDER_LIMITS_H
#define SW_RECORDER_LIMITS_H

#include <stdint.h>

struct sw_limits {
	uint64_t node_cpus;		/* online */
	uint64_t node_memory_bytes;	/* MemTotal */
	uint64_t cpus_milli;		/* affinity mask and cpu.max */
	uint64_t memory_bytes;		/* MemTotal and memory.max */
};

/*
 * Read them; cgroup_fd is the folder of the cgroup to begin with, or -1.
 * What cannot be known is SW_MISSING.
 */
void sw_limits_read(struct sw_limits *limits, int proc_fd, int cgroup_fd);

/*
 * The smallest cpu.max (in 1/1000 CPU) and memory.max from the cgroup folder
 * up to the root of its file system; SW_MISSING where nothing is limited.
 */
void sw_limits_of_cgroup(int cgroup_fd, uint64_t *cpus_milli,
			 uint64_t *memory_bytes);

/*
 * An open folder of the nearest cgroup above that has a cpu.max, to be closed
 * by the caller; -1 where there is none.
 */
int sw_limits_open_quota_above(int cgroup_fd);

#endif

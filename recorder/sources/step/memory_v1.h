/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step's memory from the memory controller of cgroup v1, in the columns of
 * v2 (Documentation/admin-guide/cgroup-v1/memory.rst), from these files:
 *
 *	memory.current		memory.usage_in_bytes
 *	memory.peak		memory.max_usage_in_bytes
 *	memory.max		memory.limit_in_bytes; missing: no limit
 *	memory.swap.max		memory.memsw.limit_in_bytes less that, as v1
 *				limits the sum of both
 *	anon, file, shmem	total_rss, total_cache, total_shmem (since Linux
 *				4.12): "rss" is anonymous memory with its huge
 *				pages, "cache" everything else, including shmem
 *	kernel			memory.kmem.usage_in_bytes
 *	events.max		memory.failcnt and memory.memsw.failcnt
 *	events.oom_kill		oom_kill of memory.oom_control (since 4.13) of
 *				the directory and of its tasks' ones: v1 counts
 *				a kill only in the victim's cgroup
 *	all others		total_NAME of memory.stat
 *
 * sw_need_bytes() computes the memory need from these.  v1 does not show which
 * part of "kernel" is reclaimable slab, so the lower bound contains nothing of
 * it; memory.peak contains all of it.  Socket buffers are not charged to
 * memory.usage_in_bytes, and are missing.
 */
#ifndef SW_RECORDER_MEMORY_V1_H
#define SW_RECORDER_MEMORY_V1_H

#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum { SW_MEMORY_V1_FILES = 8 };

struct sw_memory_v1 {
	struct sw_kernfile file[SW_MEMORY_V1_FILES];
};

/* Initialize with nothing open; only to be closed. */
void sw_memory_v1_none(struct sw_memory_v1 *memory);

/* Return ABSENT if the target has no such directory. */
enum sw_read_status sw_memory_v1_open(struct sw_memory_v1 *memory,
				      const struct sw_target *target);
enum sw_read_status sw_memory_v1_read(const struct sw_memory_v1 *memory,
				      const struct sw_target *target,
				      uint64_t *values);
void sw_memory_v1_close(struct sw_memory_v1 *memory);

/*
 * Return the number of OOM kills in a directory and in those of its tasks;
 * SW_MISSING if the kernel does not count them.
 */
uint64_t sw_memory_v1_oom_kills(int folder_fd,
				const struct sw_target_task *tasks,
				size_t count);

/* Return how often a limit of the directory was hit. */
uint64_t sw_memory_v1_hits(int folder_fd);

#endif

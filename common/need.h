/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a cgroup's memory cannot be reclaimed: the low end of the need. */
#ifndef SW_COMMON_NEED_H
#define SW_COMMON_NEED_H

#include <stdint.h>

/* Bytes, from one reading of memory.stat; SW_MISSING where it has none. */
struct sw_memory_parts {
	uint64_t anon, shmem, unevictable;
	uint64_t kernel, slab_reclaimable, sock;
	/* of "kernel", for where there is no such key (before Linux 5.18) */
	uint64_t kernel_stack, pagetables, percpu, vmalloc;
	uint64_t slab_unreclaimable;
};

/*
 * What of it cannot be reclaimed without swap; SW_MISSING without anon or
 * shmem.  Anonymous and shmem pages that are locked are in "anon" and "shmem"
 * already; what "unevictable" holds beyond both is at least its excess over
 * them (Documentation/admin-guide/cgroup-v2.rst, memory.stat).  "kernel" holds
 * the slab, of which one part is reclaimable; "sock" is not in it.  Where it
 * is missing, as in RHEL 8 and 9.0, it is at least the sum of its parts.
 */
uint64_t sw_need_bytes(const struct sw_memory_parts *parts);

#endif

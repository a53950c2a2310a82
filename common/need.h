/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compute a step's memory need from readings of its counters: the only
 * definition, shared by the recorder and by reports.
 */
#ifndef SW_COMMON_NEED_H
#define SW_COMMON_NEED_H

#include <stddef.h>
#include <stdint.h>

/* Bytes in one reading of memory.stat; SW_MISSING: absent */
struct sw_memory_parts {
	uint64_t anon, shmem, unevictable;
	uint64_t kernel, slab_reclaimable, sock;
	/* parts of "kernel" for kernels without it (before Linux 5.18) */
	uint64_t kernel_stack, pagetables, percpu, vmalloc;
	uint64_t slab_unreclaimable;
};

/*
 * Return the bytes that cannot be reclaimed without swap; SW_MISSING without
 * anon or shmem.  Locked anonymous and shmem pages are already in "anon" and
 * "shmem"; other pages in "unevictable" are at least its excess over both
 * (Documentation/admin-guide/cgroup-v2.rst, memory.stat).  "kernel" includes
 * the slab, part of which is reclaimable, but not "sock".  If it is missing, as
 * in RHEL 8 and 9.0, it is at least the sum of its parts.
 */
uint64_t sw_need_bytes(const struct sw_memory_parts *parts);

/*
 * Up to this size, a process's mapped files count as programs and libraries,
 * which all processes share: a thousand shells do not need libc a thousand
 * times.
 */
#define SW_NEED_CODE_BYTES ((uint64_t)32 << 20)

/* Values read at one time, or some of them; the others are SW_MISSING. */
struct sw_need_reading {
	/* of the cgroup */
	struct sw_memory_parts parts;
	uint64_t file, file_mapped;	/* file pages, both with shmem */
	/* page counters: workingset_refault_file, pgsteal_direct */
	uint64_t refaults, steals;
	uint64_t limit_hits;		/* counter: events.max */
	/* sum over its processes */
	uint64_t anon_low;	/* largest of each family of one image */
	uint64_t file_low;	/* file pages, likewise: of each family the
				 * excess over SW_NEED_CODE_BYTES, and once the
				 * largest part within it */
	uint64_t file_sum;	/* file pages of all processes */
	uint64_t shmem_max;	/* largest of one process */
	/* high-water marks of any one process so far: without its file pages
	 * and with them */
	uint64_t process_anon, process_all;
};

/*
 * Origin of a member of a reading: source and column by the names of the
 * recorder and of profiles.
 */
struct sw_need_field {
	const char *source, *column;
	size_t offset;		/* of the uint64_t member */
};

enum { SW_NEED_FIELDS = 22 };
extern const struct sw_need_field sw_need_fields[SW_NEED_FIELDS];

void sw_need_reading_set(struct sw_need_reading *reading,
			 const struct sw_need_field *field, uint64_t value);

/* Origin of a need */
enum sw_need_source {
	SW_NEED_NONE,
	SW_NEED_CGROUP,
	SW_NEED_CGROUP_MAPPED,	/* with mapped files in use */
	SW_NEED_PROCESSES,
	SW_NEED_PROCESS,
};

/*
 * State over all readings so far.  Each member is a maximum or a minimum, so
 * neither their order matters nor how the values of one time are divided among
 * readings.
 */
struct sw_need {
	uint64_t page_bytes;
	uint64_t cgroup, cgroup_with_mapped, mapped, file_low;
	uint64_t refaults[2], steals[2], limit_hits[2];	/* least, most */
	uint64_t processes, processes_with_file, file_sum;
	uint64_t process_anon, process_all;
};

/* page_bytes SW_MISSING: unknown, use the smallest page size. */
void sw_need_init(struct sw_need *need, uint64_t page_bytes);
void sw_need_reading_init(struct sw_need_reading *reading);
void sw_need_take(struct sw_need *need, const struct sw_need_reading *reading);

/*
 * Return the low end: the maximum that was not reclaimable at a reading, and
 * mapped files if the kernel saw refaults of their pages.  SW_MISSING if
 * unknown; *source (may be NULL) is its origin.
 */
uint64_t sw_need_low(const struct sw_need *need, enum sw_need_source *source);

/*
 * Return the minimum for advice: the low end, plus mapped files unless the
 * kernel reclaimed them without refaults.  No counter shows if pages that stay
 * mapped are in use.
 */
uint64_t sw_need_floor(const struct sw_need *need);

/*
 * Return the maximum of file pages mapped at a time: a cgroup is not charged
 * for pages that another one read before, though its processes map them.
 */
uint64_t sw_need_mapped(const struct sw_need *need);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a step's memory need is, from readings of its counters: the one
 * definition, for what the recorder keeps and for what reports say.
 */
#ifndef SW_COMMON_NEED_H
#define SW_COMMON_NEED_H

#include <stddef.h>
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

/*
 * As much of the files that a process maps is taken for programs and libraries,
 * which all of them share: a thousand shells do not have a thousand of libc.
 */
#define SW_NEED_CODE_BYTES ((uint64_t)32 << 20)

/* What was read at one time, or a part of that; the rest is SW_MISSING. */
struct sw_need_reading {
	/* of the cgroup */
	struct sw_memory_parts parts;
	uint64_t file, file_mapped;	/* pages of files, shmem in both */
	/* counters of pages: workingset_refault_file, pgsteal_direct */
	uint64_t refaults, steals;
	uint64_t limit_hits;		/* counter: events.max */
	/* of its processes together */
	uint64_t anon_low;	/* of each family of one image the largest */
	uint64_t file_low;	/* pages of files, likewise: of each family
				 * what is beyond SW_NEED_CODE_BYTES, and once
				 * the most that is within */
	uint64_t file_sum;	/* pages of files, of all */
	uint64_t shmem_max;	/* of one process */
	/* of any one process so far: its high-water mark, without its pages
	 * of files and with them */
	uint64_t process_anon, process_all;
};

/*
 * Where the members of a reading are from: the source and its column, as the
 * recorder names both and a profile has them.
 */
struct sw_need_field {
	const char *source, *column;
	size_t offset;		/* of the member, which is a uint64_t */
};

enum { SW_NEED_FIELDS = 22 };
extern const struct sw_need_field sw_need_fields[SW_NEED_FIELDS];

void sw_need_reading_set(struct sw_need_reading *reading,
			 const struct sw_need_field *field, uint64_t value);

/* Which counter a need is from. */
enum sw_need_source {
	SW_NEED_NONE,
	SW_NEED_CGROUP,
	SW_NEED_CGROUP_MAPPED,	/* with mapped files in use */
	SW_NEED_PROCESSES,
	SW_NEED_PROCESS,
};

/*
 * Of all readings so far.  Each member is a maximum or a minimum, so that
 * neither their order matters nor whether what was read at one time comes as
 * one reading or as several.
 */
struct sw_need {
	uint64_t page_bytes;
	uint64_t cgroup, cgroup_with_mapped, mapped, file_low;
	uint64_t refaults[2], steals[2], limit_hits[2];	/* least, most */
	uint64_t processes, processes_with_file, file_sum;
	uint64_t process_anon, process_all;
};

/* page_bytes SW_MISSING: not known, the smallest that there are. */
void sw_need_init(struct sw_need *need, uint64_t page_bytes);
void sw_need_reading_init(struct sw_need_reading *reading);
void sw_need_take(struct sw_need *need, const struct sw_need_reading *reading);

/*
 * The low end: what could not be had back at any reading, and mapped files
 * where the kernel saw that their pages were wanted again.  SW_MISSING where
 * nothing is known; *source (which may be NULL) is where it is from.
 */
uint64_t sw_need_low(const struct sw_need *need, enum sw_need_source *source);

/*
 * What nothing below may be advised of: the low end, and with it mapped files
 * unless the kernel took them back and nobody missed them.  Whether what stays
 * mapped is in use no counter tells.
 */
uint64_t sw_need_floor(const struct sw_need *need);

/*
 * The most that was mapped of files at a time: a cgroup is not charged for
 * what another one had read before, but its processes have it mapped.
 */
uint64_t sw_need_mapped(const struct sw_need *need);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of a step's memory, which files of cgroup v2 (src_memory.c) or
 * of v1 (memory_v1.c) fill.
 *
 * STAT is a key of memory.stat that is recorded under its own name: one row
 * here records another one.  COLUMN is filled by src_memory.c from other files.
 */
#ifndef SW_RECORDER_MEMORY_COLUMNS_H
#define SW_RECORDER_MEMORY_COLUMNS_H

#define MEM_AS_BYTES "bytes", SW_KIND_GAUGE
#define MEM_AS_COUNT "count", SW_KIND_COUNTER
#define MEM_AS_PEAK "bytes", SW_KIND_PEAK

#define SW_MEMORY_COLUMNS(COLUMN, STAT) \
	COLUMN(MEM_CURRENT, "memory.current", MEM_AS_BYTES, \
		"All memory, including page cache.") \
	COLUMN(MEM_PEAK, "memory.peak", MEM_AS_PEAK, \
		"Largest memory.current so far (kernel 5.19).") \
	COLUMN(MEM_SWAP_CURRENT, "memory.swap.current", MEM_AS_BYTES, \
		"Swap in use.") \
	COLUMN(MEM_MAX, "memory.max", MEM_AS_BYTES, \
		"The limit; missing: none.") \
	COLUMN(MEM_HIGH, "memory.high", MEM_AS_BYTES, \
		"The throttling limit; missing: none.") \
	STAT(MEM_ANON, "anon", MEM_AS_BYTES, \
		"Anonymous memory.") \
	STAT(MEM_FILE_PAGES, "file", MEM_AS_BYTES, \
		"Page cache, including shmem.") \
	STAT(MEM_SHMEM, "shmem", MEM_AS_BYTES, \
		"Shared memory and tmpfs.") \
	STAT(MEM_KERNEL, "kernel", MEM_AS_BYTES, \
		"Kernel memory, including slab (5.18).") \
	STAT(MEM_SLAB_RECLAIMABLE, "slab_reclaimable", MEM_AS_BYTES, \
		"Reclaimable slab.") \
	STAT(MEM_SOCK, "sock", MEM_AS_BYTES, \
		"Socket buffers.") \
	STAT(MEM_UNEVICTABLE, "unevictable", MEM_AS_BYTES, \
		"Locked pages, ramfs.") \
	STAT(MEM_FILE_DIRTY, "file_dirty", MEM_AS_BYTES, \
		"Cache not yet written.") \
	STAT(MEM_FILE_WRITEBACK, "file_writeback", MEM_AS_BYTES, \
		"Cache being written.") \
	STAT(MEM_PGMAJFAULT, "pgmajfault", MEM_AS_COUNT, \
		"Faults that read from disk.") \
	STAT(MEM_REFAULT_ANON, "workingset_refault_anon", MEM_AS_COUNT, \
		"Anonymous pages that were refaulted.") \
	STAT(MEM_REFAULT_FILE, "workingset_refault_file", MEM_AS_COUNT, \
		"Cache pages that were refaulted.") \
	COLUMN(MEM_EVENTS_HIGH, "events.high", MEM_AS_COUNT, \
		"Times memory.high was exceeded.") \
	COLUMN(MEM_EVENTS_MAX, "events.max", MEM_AS_COUNT, \
		"Times the limit was hit.") \
	COLUMN(MEM_EVENTS_OOM, "events.oom", MEM_AS_COUNT, \
		"Times reclaim failed.") \
	COLUMN(MEM_EVENTS_OOM_KILL, "events.oom_kill", MEM_AS_COUNT, \
		"Processes killed.") \
	COLUMN(MEM_EVENTS_OOM_GROUP_KILL, "events.oom_group_kill", \
		MEM_AS_COUNT, "Times the whole group was killed.") \
	COLUMN(MEM_SWAP_EVENTS_MAX, "swap_events.max", MEM_AS_COUNT, \
		"Times the swap limit was hit.") \
	COLUMN(MEM_SWAP_EVENTS_FAIL, "swap_events.fail", MEM_AS_COUNT, \
		"Times swap was refused.") \
	COLUMN(MEM_SWAP_MAX, "memory.swap.max", MEM_AS_BYTES, \
		"The limit; missing: none.") \
	COLUMN(MEM_SWAP_PEAK, "memory.swap.peak", MEM_AS_PEAK, \
		"Largest memory.swap.current so far (6.5).") \
	COLUMN(MEM_ZSWAP_CURRENT, "memory.zswap.current", MEM_AS_BYTES, \
		"Memory used by compressed swap (5.19).") \
	STAT(MEM_ZSWAP, "zswap", MEM_AS_BYTES, \
		"The same, from memory.stat.") \
	STAT(MEM_ZSWAPPED, "zswapped", MEM_AS_BYTES, \
		"Its contents, uncompressed.") \
	STAT(MEM_SWAPCACHED, "swapcached", MEM_AS_BYTES, \
		"Memory in memory and in swap.") \
	STAT(MEM_KERNEL_STACK, "kernel_stack", MEM_AS_BYTES, \
		"Kernel stacks of threads.") \
	STAT(MEM_PAGETABLES, "pagetables", MEM_AS_BYTES, \
		"Page tables.") \
	STAT(MEM_PERCPU, "percpu", MEM_AS_BYTES, \
		"Per-CPU kernel memory.") \
	STAT(MEM_VMALLOC, "vmalloc", MEM_AS_BYTES, \
		"Mapped kernel memory (vmalloc).") \
	STAT(MEM_SLAB_UNRECLAIMABLE, "slab_unreclaimable", MEM_AS_BYTES, \
		"Unreclaimable slab.") \
	STAT(MEM_FILE_MAPPED, "file_mapped", MEM_AS_BYTES, \
		"Mapped page cache.") \
	STAT(MEM_ANON_THP, "anon_thp", MEM_AS_BYTES, \
		"Anonymous huge pages.") \
	STAT(MEM_FILE_THP, "file_thp", MEM_AS_BYTES, \
		"Huge pages of files.") \
	STAT(MEM_SHMEM_THP, "shmem_thp", MEM_AS_BYTES, \
		"Shared huge pages.") \
	STAT(MEM_WORKINGSET_ACTIVATE_FILE, "workingset_activate_file", \
		MEM_AS_COUNT, "Refaulted cache pages that are in use again.") \
	STAT(MEM_WORKINGSET_RESTORE_FILE, "workingset_restore_file", \
		MEM_AS_COUNT, "Refaulted cache pages that had been in " \
		"use: thrashing.") \
	STAT(MEM_PGSCAN_DIRECT, "pgscan_direct", MEM_AS_COUNT, \
		"Pages scanned for reclaim while a program waited.") \
	STAT(MEM_PGSTEAL_DIRECT, "pgsteal_direct", MEM_AS_COUNT, \
		"Pages reclaimed while a program waited.") \
	COLUMN(MEM_EVENTS_LOCAL_MAX, "events.local.max", MEM_AS_COUNT, \
		"Times the step's own limit was hit, not one inside " \
		"it.") \
	COLUMN(MEM_EVENTS_LOCAL_OOM, "events.local.oom", MEM_AS_COUNT, \
		"Times reclaim failed at the step's own limit.") \
	COLUMN(MEM_EVENTS_LOCAL_OOM_KILL, "events.local.oom_kill", \
		MEM_AS_COUNT, "Processes killed directly in the step's cgroup.")

#define SW_MEMORY_ID(id, name, kind, help) id,
enum sw_memory_column {
	SW_MEMORY_COLUMNS(SW_MEMORY_ID, SW_MEMORY_ID)
	MEM_COLUMNS
};
#undef SW_MEMORY_ID

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of a step: the memory.* files of its cgroup. */
#include "recorder/kernfile.h"

enum {
	CURRENT, PEAK, SWAP_CURRENT, MAX, HIGH,
	ANON, FILE_PAGES, SHMEM, KERNEL, SLAB_RECLAIMABLE, SOCK, UNEVICTABLE,
	FILE_DIRTY, FILE_WRITEBACK, PGMAJFAULT, REFAULT_ANON, REFAULT_FILE,
	EVENTS_HIGH, EVENTS_MAX, EVENTS_OOM, EVENTS_OOM_KILL,
	EVENTS_OOM_GROUP_KILL, SWAP_EVENTS_MAX, SWAP_EVENTS_FAIL,
	SWAP_MAX, SWAP_PEAK, ZSWAP_CURRENT, ZSWAP, ZSWAPPED, SWAPCACHED,
	KERNEL_STACK, PAGETABLES, PERCPU, VMALLOC, SLAB_UNRECLAIMABLE,
	FILE_MAPPED, ANON_THP, FILE_THP, SHMEM_THP,
	WORKINGSET_ACTIVATE_FILE, WORKINGSET_RESTORE_FILE, PGSCAN_DIRECT,
	PGSTEAL_DIRECT, EVENTS_LOCAL_MAX, EVENTS_LOCAL_OOM,
	EVENTS_LOCAL_OOM_KILL,
	COLUMNS
};

#define BYTES(name, help) { name, "bytes", SW_KIND_GAUGE, help }
#define COUNT(name, help) { name, "count", SW_KIND_COUNTER, help }

static const struct sw_column columns[COLUMNS] = {
	[CURRENT] = BYTES("memory.current", "All memory, page cache too."),
	[PEAK] = { "memory.peak", "bytes", SW_KIND_PEAK,
		   "Largest memory.current so far (kernel 5.19)." },
	[SWAP_CURRENT] = BYTES("memory.swap.current", "Swap in use."),
	[MAX] = BYTES("memory.max", "The limit; missing: none."),
	[HIGH] = BYTES("memory.high", "The throttling limit; missing: none."),
	[ANON] = BYTES("anon", "Anonymous memory."),
	[FILE_PAGES] = BYTES("file", "Page cache, shmem in it."),
	[SHMEM] = BYTES("shmem", "Shared memory and tmpfs."),
	[KERNEL] = BYTES("kernel", "Kernel memory, slab in it (5.18)."),
	[SLAB_RECLAIMABLE] = BYTES("slab_reclaimable",
				   "Slab that can be given back."),
	[SOCK] = BYTES("sock", "Socket buffers."),
	[UNEVICTABLE] = BYTES("unevictable", "Locked pages, ramfs."),
	[FILE_DIRTY] = BYTES("file_dirty", "Cache not yet written."),
	[FILE_WRITEBACK] = BYTES("file_writeback", "Cache being written."),
	[PGMAJFAULT] = COUNT("pgmajfault", "Faults that read from disk."),
	[REFAULT_ANON] = COUNT("workingset_refault_anon",
			       "Anonymous pages that were missed."),
	[REFAULT_FILE] = COUNT("workingset_refault_file",
			       "Cache pages that were missed."),
	[EVENTS_HIGH] = COUNT("events.high", "Times memory.high was passed."),
	[EVENTS_MAX] = COUNT("events.max", "Times the limit was hit."),
	[EVENTS_OOM] = COUNT("events.oom", "Times reclaim did not help."),
	[EVENTS_OOM_KILL] = COUNT("events.oom_kill", "Processes killed."),
	[EVENTS_OOM_GROUP_KILL] = COUNT("events.oom_group_kill",
					"Times the whole group was killed."),
	[SWAP_EVENTS_MAX] = COUNT("swap_events.max", "Swap limit hit."),
	[SWAP_EVENTS_FAIL] = COUNT("swap_events.fail", "Swap refused."),
	[SWAP_MAX] = BYTES("memory.swap.max", "The limit; missing: none."),
	[SWAP_PEAK] = { "memory.swap.peak", "bytes", SW_KIND_PEAK,
			"Largest memory.swap.current so far (6.5)." },
	[ZSWAP_CURRENT] = BYTES("memory.zswap.current",
				"Memory that compressed swap takes (5.19)."),
	[ZSWAP] = BYTES("zswap", "The same, as memory.stat has it."),
	[ZSWAPPED] = BYTES("zswapped", "What is in it, uncompressed."),
	[SWAPCACHED] = BYTES("swapcached", "In memory and in swap."),
	[KERNEL_STACK] = BYTES("kernel_stack", "Kernel stacks of threads."),
	[PAGETABLES] = BYTES("pagetables", "Page tables."),
	[PERCPU] = BYTES("percpu", "Kernel memory of each CPU."),
	[VMALLOC] = BYTES("vmalloc", "Kernel memory that is mapped."),
	[SLAB_UNRECLAIMABLE] = BYTES("slab_unreclaimable",
				     "Slab that cannot be given back."),
	[FILE_MAPPED] = BYTES("file_mapped", "Page cache that is mapped."),
	[ANON_THP] = BYTES("anon_thp", "Anonymous huge pages."),
	[FILE_THP] = BYTES("file_thp", "Huge pages of files."),
	[SHMEM_THP] = BYTES("shmem_thp", "Shared huge pages."),
	[WORKINGSET_ACTIVATE_FILE] = COUNT("workingset_activate_file",
		"Missed cache pages that are in use again."),
	[WORKINGSET_RESTORE_FILE] = COUNT("workingset_restore_file",
		"Missed cache pages that had been in use: thrashing."),
	[PGSCAN_DIRECT] = COUNT("pgscan_direct", "Pages looked at for "
				"reclaim while a program waited."),
	[PGSTEAL_DIRECT] = COUNT("pgsteal_direct", "Pages reclaimed while a "
				 "program waited."),
	[EVENTS_LOCAL_MAX] = COUNT("events.local.max",
		"Times the step's own limit was hit, and not one inside."),
	[EVENTS_LOCAL_OOM] = COUNT("events.local.oom",
		"Times reclaim did not help at the step's own limit."),
	[EVENTS_LOCAL_OOM_KILL] = COUNT("events.local.oom_kill",
		"Processes killed right in the step's cgroup."),
};

static const struct sw_kernkey stat_keys[] = {
	{ "anon", ANON },
	{ "file", FILE_PAGES },
	{ "shmem", SHMEM },
	{ "kernel", KERNEL },
	{ "slab_reclaimable", SLAB_RECLAIMABLE },
	{ "sock", SOCK },
	{ "unevictable", UNEVICTABLE },
	{ "file_dirty", FILE_DIRTY },
	{ "file_writeback", FILE_WRITEBACK },
	{ "pgmajfault", PGMAJFAULT },
	{ "workingset_refault_anon", REFAULT_ANON },
	{ "workingset_refault_file", REFAULT_FILE },
	{ "zswap", ZSWAP },
	{ "zswapped", ZSWAPPED },
	{ "swapcached", SWAPCACHED },
	{ "kernel_stack", KERNEL_STACK },
	{ "pagetables", PAGETABLES },
	{ "percpu", PERCPU },
	{ "vmalloc", VMALLOC },
	{ "slab_unreclaimable", SLAB_UNRECLAIMABLE },
	{ "file_mapped", FILE_MAPPED },
	{ "anon_thp", ANON_THP },
	{ "file_thp", FILE_THP },
	{ "shmem_thp", SHMEM_THP },
	{ "workingset_activate_file", WORKINGSET_ACTIVATE_FILE },
	{ "workingset_restore_file", WORKINGSET_RESTORE_FILE },
	{ "pgscan_direct", PGSCAN_DIRECT },
	{ "pgsteal_direct", PGSTEAL_DIRECT },
};

static const struct sw_kernkey event_keys[] = {
	{ "high", EVENTS_HIGH },
	{ "max", EVENTS_MAX },
	{ "oom", EVENTS_OOM },
	{ "oom_kill", EVENTS_OOM_KILL },
	{ "oom_group_kill", EVENTS_OOM_GROUP_KILL },
};

static const struct sw_kernkey local_event_keys[] = {
	{ "max", EVENTS_LOCAL_MAX },
	{ "oom", EVENTS_LOCAL_OOM },
	{ "oom_kill", EVENTS_LOCAL_OOM_KILL },
};

static const struct sw_kernkey swap_event_keys[] = {
	{ "max", SWAP_EVENTS_MAX },
	{ "fail", SWAP_EVENTS_FAIL },
};

/* A file of one number, or of keys. */
struct item {
	const char *name;
	const struct sw_kernkey *keys;	/* NULL: one number */
	size_t key_count;
	size_t column;			/* of the one number */
};

#define NUMBER(name, column) { name, NULL, 0, column }
#define KEYED(name, keys) { name, keys, sizeof(keys) / sizeof(keys[0]), 0 }

static const struct item items[] = {
	NUMBER("memory.current", CURRENT),
	NUMBER("memory.peak", PEAK),
	NUMBER("memory.swap.current", SWAP_CURRENT),
	NUMBER("memory.max", MAX),
	NUMBER("memory.high", HIGH),
	KEYED("memory.stat", stat_keys),
	KEYED("memory.events", event_keys),
	KEYED("memory.swap.events", swap_event_keys),
	KEYED("memory.events.local", local_event_keys),
	NUMBER("memory.swap.max", SWAP_MAX),
	NUMBER("memory.swap.peak", SWAP_PEAK),
	NUMBER("memory.zswap.current", ZSWAP_CURRENT),
};

enum { ITEMS = sizeof(items) / sizeof(items[0]) };

struct state {
	struct sw_kernfile file[ITEMS];
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	size_t i;

	for (i = 0; i < ITEMS; i++)
		sw_kernfile_open(&state->file[i], target->cgroup_fd,
				 items[i].name);
	/* The root has no memory.current, nor has a cgroup without the
	 * controller. */
	return state->file[0].fd < 0 ? SW_READ_ABSENT : SW_READ_OK;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	enum sw_read_status status = SW_READ_OK, one;
	struct state *state = memory;
	size_t i;

	(void)target;
	for (i = 0; i < ITEMS; i++) {
		if (items[i].keys)
			one = sw_kernfile_keyed(&state->file[i], items[i].keys,
						items[i].key_count, values);
		else
			one = sw_kernfile_number(&state->file[i],
						 &values[items[i].column]);
		if (one != SW_READ_OK && one != SW_READ_ABSENT &&
		    status == SW_READ_OK)
			status = one;
	}
	return status;
}

static void close_source(void *memory)
{
	struct state *state = memory;
	size_t i;

	for (i = 0; i < ITEMS; i++)
		sw_kernfile_close(&state->file[i]);
}

static const char *reason(const void *memory, enum sw_read_status status)
{
	(void)memory;
	return status == SW_READ_ABSENT ?
		"no memory controller in the command's cgroup" : NULL;
}

extern const struct sw_source sw_src_memory;

const struct sw_source sw_src_memory = {
	.name = "memory",
	.ladder = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.read = read_source,
	.reason = reason,
	.close = close_source,
};

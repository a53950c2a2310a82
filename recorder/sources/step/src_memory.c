/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of a step: the memory.* files of its cgroup, else of its folder in the
 * tree of cgroup v1's memory controller.  And that of its job, of which the
 * peak is not the sum of its steps' peaks.
 */
#include "recorder/sources/source.h"
#include "recorder/sources/step/memory_columns.h"
#include "recorder/sources/step/memory_v1.h"

#define BYTES(name, help) { name, "bytes", SW_KIND_GAUGE, help }
#define COUNT(name, help) { name, "count", SW_KIND_COUNTER, help }

static const struct sw_column columns[MEM_COLUMNS] = {
	[MEM_CURRENT] = BYTES("memory.current", "All memory, including page "
			      "cache."),
	[MEM_PEAK] = { "memory.peak", "bytes", SW_KIND_PEAK,
		   "Largest memory.current so far (kernel 5.19)." },
	[MEM_SWAP_CURRENT] = BYTES("memory.swap.current", "Swap in use."),
	[MEM_MAX] = BYTES("memory.max", "The limit; missing: none."),
	[MEM_HIGH] = BYTES("memory.high", "The throttling limit; missing: none."),
	[MEM_ANON] = BYTES("anon", "Anonymous memory."),
	[MEM_FILE_PAGES] = BYTES("file", "Page cache, including shmem."),
	[MEM_SHMEM] = BYTES("shmem", "Shared memory and tmpfs."),
	[MEM_KERNEL] = BYTES("kernel", "Kernel memory, including slab (5.18)."),
	[MEM_SLAB_RECLAIMABLE] = BYTES("slab_reclaimable",
				   "Reclaimable slab."),
	[MEM_SOCK] = BYTES("sock", "Socket buffers."),
	[MEM_UNEVICTABLE] = BYTES("unevictable", "Locked pages, ramfs."),
	[MEM_FILE_DIRTY] = BYTES("file_dirty", "Cache not yet written."),
	[MEM_FILE_WRITEBACK] = BYTES("file_writeback", "Cache being written."),
	[MEM_PGMAJFAULT] = COUNT("pgmajfault", "Faults that read from disk."),
	[MEM_REFAULT_ANON] = COUNT("workingset_refault_anon",
			       "Anonymous pages that were refaulted."),
	[MEM_REFAULT_FILE] = COUNT("workingset_refault_file",
			       "Cache pages that were refaulted."),
	[MEM_EVENTS_HIGH] = COUNT("events.high", "Times memory.high was "
				  "exceeded."),
	[MEM_EVENTS_MAX] = COUNT("events.max", "Times the limit was hit."),
	[MEM_EVENTS_OOM] = COUNT("events.oom", "Times reclaim failed."),
	[MEM_EVENTS_OOM_KILL] = COUNT("events.oom_kill", "Processes killed."),
	[MEM_EVENTS_OOM_GROUP_KILL] = COUNT("events.oom_group_kill",
					"Times the whole group was killed."),
	[MEM_SWAP_EVENTS_MAX] = COUNT("swap_events.max", "Times the swap limit "
				      "was hit."),
	[MEM_SWAP_EVENTS_FAIL] = COUNT("swap_events.fail", "Times swap was "
				       "refused."),
	[MEM_SWAP_MAX] = BYTES("memory.swap.max", "The limit; missing: none."),
	[MEM_SWAP_PEAK] = { "memory.swap.peak", "bytes", SW_KIND_PEAK,
			"Largest memory.swap.current so far (6.5)." },
	[MEM_ZSWAP_CURRENT] = BYTES("memory.zswap.current",
				"Memory used by compressed swap (5.19)."),
	[MEM_ZSWAP] = BYTES("zswap", "The same, from memory.stat."),
	[MEM_ZSWAPPED] = BYTES("zswapped", "Its contents, uncompressed."),
	[MEM_SWAPCACHED] = BYTES("swapcached", "Memory in memory and in swap."),
	[MEM_KERNEL_STACK] = BYTES("kernel_stack", "Kernel stacks of threads."),
	[MEM_PAGETABLES] = BYTES("pagetables", "Page tables."),
	[MEM_PERCPU] = BYTES("percpu", "Per-CPU kernel memory."),
	[MEM_VMALLOC] = BYTES("vmalloc", "Mapped kernel memory (vmalloc)."),
	[MEM_SLAB_UNRECLAIMABLE] = BYTES("slab_unreclaimable",
				     "Unreclaimable slab."),
	[MEM_FILE_MAPPED] = BYTES("file_mapped", "Mapped page cache."),
	[MEM_ANON_THP] = BYTES("anon_thp", "Anonymous huge pages."),
	[MEM_FILE_THP] = BYTES("file_thp", "Huge pages of files."),
	[MEM_SHMEM_THP] = BYTES("shmem_thp", "Shared huge pages."),
	[MEM_WORKINGSET_ACTIVATE_FILE] = COUNT("workingset_activate_file",
		"Refaulted cache pages that are in use again."),
	[MEM_WORKINGSET_RESTORE_FILE] = COUNT("workingset_restore_file",
		"Refaulted cache pages that had been in use: thrashing."),
	[MEM_PGSCAN_DIRECT] = COUNT("pgscan_direct", "Pages scanned for "
				    "reclaim while a program waited."),
	[MEM_PGSTEAL_DIRECT] = COUNT("pgsteal_direct", "Pages reclaimed while a "
				 "program waited."),
	[MEM_EVENTS_LOCAL_MAX] = COUNT("events.local.max",
		"Times the step's own limit was hit, not one inside it."),
	[MEM_EVENTS_LOCAL_OOM] = COUNT("events.local.oom",
		"Times reclaim failed at the step's own limit."),
	[MEM_EVENTS_LOCAL_OOM_KILL] = COUNT("events.local.oom_kill",
		"Processes killed directly in the step's cgroup."),
};

static const struct sw_kernkey stat_keys[] = {
	{ "anon", MEM_ANON },
	{ "file", MEM_FILE_PAGES },
	{ "shmem", MEM_SHMEM },
	{ "kernel", MEM_KERNEL },
	{ "slab_reclaimable", MEM_SLAB_RECLAIMABLE },
	{ "sock", MEM_SOCK },
	{ "unevictable", MEM_UNEVICTABLE },
	{ "file_dirty", MEM_FILE_DIRTY },
	{ "file_writeback", MEM_FILE_WRITEBACK },
	{ "pgmajfault", MEM_PGMAJFAULT },
	{ "workingset_refault_anon", MEM_REFAULT_ANON },
	{ "workingset_refault_file", MEM_REFAULT_FILE },
	{ "zswap", MEM_ZSWAP },
	{ "zswapped", MEM_ZSWAPPED },
	{ "swapcached", MEM_SWAPCACHED },
	{ "kernel_stack", MEM_KERNEL_STACK },
	{ "pagetables", MEM_PAGETABLES },
	{ "percpu", MEM_PERCPU },
	{ "vmalloc", MEM_VMALLOC },
	{ "slab_unreclaimable", MEM_SLAB_UNRECLAIMABLE },
	{ "file_mapped", MEM_FILE_MAPPED },
	{ "anon_thp", MEM_ANON_THP },
	{ "file_thp", MEM_FILE_THP },
	{ "shmem_thp", MEM_SHMEM_THP },
	{ "workingset_activate_file", MEM_WORKINGSET_ACTIVATE_FILE },
	{ "workingset_restore_file", MEM_WORKINGSET_RESTORE_FILE },
	{ "pgscan_direct", MEM_PGSCAN_DIRECT },
	{ "pgsteal_direct", MEM_PGSTEAL_DIRECT },
};

static const struct sw_kernkey event_keys[] = {
	{ "high", MEM_EVENTS_HIGH },
	{ "max", MEM_EVENTS_MAX },
	{ "oom", MEM_EVENTS_OOM },
	{ "oom_kill", MEM_EVENTS_OOM_KILL },
	{ "oom_group_kill", MEM_EVENTS_OOM_GROUP_KILL },
};

static const struct sw_kernkey local_event_keys[] = {
	{ "max", MEM_EVENTS_LOCAL_MAX },
	{ "oom", MEM_EVENTS_LOCAL_OOM },
	{ "oom_kill", MEM_EVENTS_LOCAL_OOM_KILL },
};

static const struct sw_kernkey swap_event_keys[] = {
	{ "max", MEM_SWAP_EVENTS_MAX },
	{ "fail", MEM_SWAP_EVENTS_FAIL },
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
	NUMBER("memory.current", MEM_CURRENT),
	NUMBER("memory.peak", MEM_PEAK),
	NUMBER("memory.swap.current", MEM_SWAP_CURRENT),
	NUMBER("memory.max", MEM_MAX),
	NUMBER("memory.high", MEM_HIGH),
	KEYED("memory.stat", stat_keys),
	KEYED("memory.events", event_keys),
	KEYED("memory.swap.events", swap_event_keys),
	KEYED("memory.events.local", local_event_keys),
	NUMBER("memory.swap.max", MEM_SWAP_MAX),
	NUMBER("memory.swap.peak", MEM_SWAP_PEAK),
	NUMBER("memory.zswap.current", MEM_ZSWAP_CURRENT),
};

enum { ITEMS = sizeof(items) / sizeof(items[0]) };

struct state {
	struct sw_kernfile file[ITEMS];
	struct sw_memory_v1 v1;
	bool is_v1;
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
	state->is_v1 = state->file[0].fd < 0;
	if (state->is_v1)
		return sw_memory_v1_open(&state->v1, target);
	sw_memory_v1_none(&state->v1);
	return SW_READ_OK;
}

static enum sw_read_status read_v2(const struct state *state,
				   uint64_t *values)
{
	enum sw_read_status status = SW_READ_OK, one;
	size_t i;

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

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	const struct state *state = memory;

	return state->is_v1 ? sw_memory_v1_read(&state->v1, target, values) :
			      read_v2(state, values);
}

static const char *find_backend(const void *memory)
{
	const struct state *state = memory;

	return state->is_v1 ? "cgroup.v1" : "cgroup.v2";
}

static void close_source(void *memory)
{
	struct state *state = memory;
	size_t i;

	for (i = 0; i < ITEMS; i++)
		sw_kernfile_close(&state->file[i]);
	sw_memory_v1_close(&state->v1);
}

const struct sw_source sw_src_memory = {
	.name = "memory",
	.backend = "cgroup.v2",
	.find_backend = find_backend,
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = MEM_COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.read = read_source,
	.absence = "no memory controller in the command's cgroup",
	.close = close_source,
};

/* Opened for each read: a job may have many steps, and each asks. */
struct job_state {
	bool is_v1;
};

/* The target whose folders are the job's, and whose tasks are not looked at. */
static struct sw_target of_job(const struct sw_target *target)
{
	return (struct sw_target){
		.cgroup_fd = target->job ? target->job->cgroup_fd : -1,
		.v1 = target->job ? &target->job->v1 : NULL,
		.proc_fd = -1, .sys_fd = -1,
	};
}

static enum sw_read_status open_job(void *memory,
				    const struct sw_target *target)
{
	const struct sw_target job = of_job(target);
	struct job_state *state = memory;
	struct state files = { .is_v1 = false };
	enum sw_read_status status = open_source(&files, &job);

	state->is_v1 = files.is_v1;
	close_source(&files);
	return status;
}

static enum sw_read_status read_job(void *memory,
				    const struct sw_target *target,
				    uint64_t *values)
{
	const struct sw_target job = of_job(target);
	struct state files = { .is_v1 = false };
	enum sw_read_status status = open_source(&files, &job);

	(void)memory;
	if (status == SW_READ_OK)
		status = read_source(&files, &job, values);
	close_source(&files);
	return status == SW_READ_ABSENT ? SW_READ_GONE : status;
}

static const char *find_job_backend(const void *memory)
{
	const struct job_state *state = memory;

	return state->is_v1 ? "cgroup.v1" : "cgroup.v2";
}

const struct sw_source sw_src_job_memory = {
	.name = "job_memory",
	.backend = "cgroup.v2",
	.find_backend = find_job_backend,
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = MEM_COLUMNS,
	.state_size = sizeof(struct job_state),
	.open = open_job,
	.read = read_job,
	.absence = "no memory controller in a cgroup of the job",
};

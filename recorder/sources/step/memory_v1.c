/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the memory controller of cgroup v1. */
#include "recorder/sources/step/memory_v1.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/delta.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/sources/step/memory_columns.h"

enum {
	USAGE, MAX_USAGE, LIMIT, FAILCNT, STAT, KMEM_USAGE, MEMSW_LIMIT,
	MEMSW_FAILCNT, FILES
};

_Static_assert((int)FILES == (int)SW_MEMORY_V1_FILES, "each has its place");

static const char *const names[FILES] = {
	[USAGE] = "memory.usage_in_bytes",
	[MAX_USAGE] = "memory.max_usage_in_bytes",
	[LIMIT] = "memory.limit_in_bytes",
	[FAILCNT] = "memory.failcnt",
	[STAT] = "memory.stat",
	[KMEM_USAGE] = "memory.kmem.usage_in_bytes",
	[MEMSW_LIMIT] = "memory.memsw.limit_in_bytes",
	[MEMSW_FAILCNT] = "memory.memsw.failcnt",
};

static const struct sw_kernkey stat_keys[] = {
	{ "total_rss", MEM_ANON },
	{ "total_cache", MEM_FILE_PAGES },
	{ "total_shmem", MEM_SHMEM },
	{ "total_unevictable", MEM_UNEVICTABLE },
	{ "total_dirty", MEM_FILE_DIRTY },
	{ "total_writeback", MEM_FILE_WRITEBACK },
	{ "total_mapped_file", MEM_FILE_MAPPED },
	{ "total_rss_huge", MEM_ANON_THP },
	{ "total_swap", MEM_SWAP_CURRENT },
	{ "total_swapcached", MEM_SWAPCACHED },
	{ "total_pgmajfault", MEM_PGMAJFAULT },
	{ "total_workingset_refault_anon", MEM_REFAULT_ANON },
	{ "total_workingset_refault_file", MEM_REFAULT_FILE },
};

void sw_memory_v1_none(struct sw_memory_v1 *memory)
{
	size_t i;

	for (i = 0; i < FILES; i++)
		memory->file[i].fd = -1;
}

enum sw_read_status sw_memory_v1_open(struct sw_memory_v1 *memory,
				      const struct sw_target *target)
{
	int fd = target->v1 ? target->v1->fd[SW_V1_MEMORY] : -1;
	size_t i;

	for (i = 0; i < FILES; i++)
		sw_kernfile_open(&memory->file[i], fd, names[i]);
	return memory->file[USAGE].fd < 0 ? SW_READ_ABSENT : SW_READ_OK;
}

static uint64_t oom_kills_of(int folder_fd, const char *name)
{
	static const struct sw_kernkey key = { "oom_kill", 0 };
	uint64_t count = SW_MISSING;
	char text[128];

	if (sw_kernfile_slurp(folder_fd, name, text, sizeof(text)) ==
	    SW_READ_OK)
		sw_kern_parse_keyed(text, &key, 1, &count);
	return count;
}

uint64_t sw_memory_v1_oom_kills(int folder_fd,
				const struct sw_target_task *tasks,
				size_t count)
{
	uint64_t kills = oom_kills_of(folder_fd, "memory.oom_control");
	char name[64];
	size_t i;

	for (i = 0; i < count; i++) {
		if (sw_is_missing(tasks[i].cgroup_number))
			continue;
		snprintf(name, sizeof(name), "task_%" PRIu64
			 "/memory.oom_control", tasks[i].cgroup_number);
		kills = sw_sum_u64(kills, oom_kills_of(folder_fd, name));
	}
	return kills;
}

uint64_t sw_memory_v1_hits(int folder_fd)
{
	static const int both[] = { FAILCNT, MEMSW_FAILCNT };
	uint64_t sum = SW_MISSING, hits;
	struct sw_kernfile file;
	size_t i;

	for (i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
		hits = SW_MISSING;
		sw_kernfile_open(&file, folder_fd, names[both[i]]);
		sw_kernfile_number(&file, &hits);
		sw_kernfile_close(&file);
		sum = sw_sum_u64(sum, hits);
	}
	return sum;
}

/* Read the limit of memory plus swap, and how often either limit was hit. */
static void read_memsw(const struct sw_memory_v1 *memory, uint64_t *values)
{
	uint64_t limit = SW_MISSING, hits = SW_MISSING;

	sw_kernfile_number(&memory->file[MEMSW_LIMIT], &limit);
	values[MEM_SWAP_MAX] = sw_excess_u64(sw_v1_limit(limit),
					     values[MEM_MAX]);
	sw_kernfile_number(&memory->file[FAILCNT], &values[MEM_EVENTS_MAX]);
	sw_kernfile_number(&memory->file[MEMSW_FAILCNT], &hits);
	values[MEM_EVENTS_MAX] = sw_sum_u64(values[MEM_EVENTS_MAX], hits);
}

enum sw_read_status sw_memory_v1_read(const struct sw_memory_v1 *memory,
				      const struct sw_target *target,
				      uint64_t *values)
{
	enum sw_read_status status, stat;

	status = sw_kernfile_number(&memory->file[USAGE],
				    &values[MEM_CURRENT]);
	if (status != SW_READ_OK)
		return status;
	sw_kernfile_number(&memory->file[MAX_USAGE], &values[MEM_PEAK]);
	sw_kernfile_number(&memory->file[KMEM_USAGE], &values[MEM_KERNEL]);
	sw_kernfile_number(&memory->file[LIMIT], &values[MEM_MAX]);
	values[MEM_MAX] = sw_v1_limit(values[MEM_MAX]);
	read_memsw(memory, values);
	values[MEM_EVENTS_OOM_KILL] = sw_memory_v1_oom_kills(
		target->v1->fd[SW_V1_MEMORY], target->tasks,
		target->task_count);
	stat = sw_kernfile_keyed(&memory->file[STAT], stat_keys,
				 sizeof(stat_keys) / sizeof(stat_keys[0]),
				 values);
	return stat == SW_READ_ABSENT ? SW_READ_OK : stat;
}

void sw_memory_v1_close(struct sw_memory_v1 *memory)
{
	size_t i;

	for (i = 0; i < FILES; i++)
		sw_kernfile_close(&memory->file[i]);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NUMA placement of a step's memory: memory.numa_stat of its cgroup, a row for
 * each NUMA node.  Expensive, and absent without the memory controller.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum {
	ANON, FILE_PAGES, SHMEM, ANON_THP, UNEVICTABLE, KERNEL_STACK,
	PAGETABLES, SLAB_RECLAIMABLE, SLAB_UNRECLAIMABLE, COLUMNS
};

/* For 40 keys and 64 nodes; the loop's stack has room for it. */
enum { NODES_MAX = 64, TEXT_SIZE = 65536 };

#define BYTES(name, help) { name, "bytes", SW_KIND_GAUGE, help }

static const struct sw_column columns[COLUMNS] = {
	[ANON] = BYTES("anon", "Anonymous memory on this NUMA node."),
	[FILE_PAGES] = BYTES("file", "Page cache, including shmem."),
	[SHMEM] = BYTES("shmem", "Shared memory and tmpfs."),
	[ANON_THP] = BYTES("anon_thp", "Anonymous huge pages."),
	[UNEVICTABLE] = BYTES("unevictable", "Locked pages, ramfs."),
	[KERNEL_STACK] = BYTES("kernel_stack", "Kernel stacks."),
	[PAGETABLES] = BYTES("pagetables", "Page tables."),
	[SLAB_RECLAIMABLE] = BYTES("slab_reclaimable",
				   "Reclaimable slab."),
	[SLAB_UNRECLAIMABLE] = BYTES("slab_unreclaimable",
				     "Unreclaimable slab."),
};

struct state {
	struct sw_kernfile file;
	bool has[NODES_MAX];
	uint64_t values[NODES_MAX][COLUMNS];
	uint64_t beyond;	/* values of nodes beyond NODES_MAX */
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	return sw_kernfile_open(&state->file, target->cgroup_fd,
				"memory.numa_stat");
}

static void take(void *context, uint64_t node, size_t column, uint64_t value)
{
	struct state *state = context;

	if (node >= NODES_MAX) {
		state->beyond += column == ANON;
		return;
	}
	state->has[node] = true;
	state->values[node][column] = value;
}

static enum sw_read_status read_rows(void *memory,
				     const struct sw_target *target,
				     struct sw_rows *rows)
{
	static const struct sw_kernkey keys[] = {
		{ "anon", ANON },
		{ "file", FILE_PAGES },
		{ "shmem", SHMEM },
		{ "anon_thp", ANON_THP },
		{ "unevictable", UNEVICTABLE },
		{ "kernel_stack", KERNEL_STACK },
		{ "pagetables", PAGETABLES },
		{ "slab_reclaimable", SLAB_RECLAIMABLE },
		{ "slab_unreclaimable", SLAB_UNRECLAIMABLE },
	};
	struct state *state = memory;
	enum sw_read_status status;
	char text[TEXT_SIZE];
	uint64_t node, *row;

	(void)target;
	status = sw_kernfile_read(&state->file, text, sizeof(text));
	if (status != SW_READ_OK)
		return status;
	state->beyond = 0;
	memset(state->has, 0, sizeof(state->has));
	memset(state->values, 0xff, sizeof(state->values));
	status = sw_kern_parse_nodes(text, keys,
				     sizeof(keys) / sizeof(keys[0]), take,
				     state);
	for (node = 0; node < NODES_MAX && status == SW_READ_OK; node++) {
		row = state->has[node] ? sw_rows_add(rows, node) : NULL;
		if (row)
			memcpy(row, state->values[node],
			       sizeof(state->values[node]));
	}
	rows->left_out += state->beyond;
	return status;
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	(void)memory;
	strcpy(subject->kind, "numa_node");
	snprintf(subject->name, sizeof(subject->name), "%" PRIu64, index);
	return true;
}

const struct sw_source sw_src_numa = {
	.name = "numa",
	.backend = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.file_count = 1,
	.open = open_source,
	.rows_max = NODES_MAX,
	.read_rows = read_rows,
	.describe = describe,
	.absence = "no memory controller in the command's cgroup that counts "
		   "by NUMA node",
};

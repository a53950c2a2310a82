/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GPU use of a step's own processes: the sums over its processes among all GPU
 * processes.  Does not call the driver; a step without GPU processes has no
 * rows.
 */
#include <string.h>

#include "common/units.h"
#include "recorder/processes/tree.h"
#include "recorder/sources/gpu/gpus.h"
#include "recorder/sources/gpu/src_gpu_pids.h"
#include "recorder/sources/shared.h"
#include "recorder/sources/source.h"

enum { PROCESSES, MEMORY, BUSY, MEMORY_BUSY, COLUMNS };

static const struct sw_column columns[COLUMNS] = {
	[PROCESSES] = { "processes", "count", SW_KIND_GAUGE,
			"Processes of the step on this device." },
	[MEMORY] = { "memory.used", "bytes", SW_KIND_GAUGE,
		     "GPU memory that they hold." },
	[BUSY] = { "utilization.sm", "percent", SW_KIND_GAUGE,
		   "Share of time in which one of their kernels ran." },
	[MEMORY_BUSY] = { "utilization.memory", "percent", SW_KIND_GAUGE,
			  "The same for memory traffic." },
};

struct state {
	struct sw_shared *shared;
	uint64_t sums[SW_GPUS_MAX][COLUMNS];	/* of the current read */
};

static bool is_ours(const struct sw_tree *tree, uint64_t pid)
{
	size_t i;

	for (i = 0; i < sw_tree_count(tree); i++) {
		if ((uint64_t)sw_tree_process(tree, i)->pid == pid)
			return true;
	}
	return false;
}

/* If a value is missing, so is the sum. */
static void add(uint64_t *sum, const uint64_t *values)
{
	sum[MEMORY] = sw_add_u64(sum[MEMORY], values[SW_GPU_PID_MEMORY]);
	sum[BUSY] = sw_add_u64(sum[BUSY], values[SW_GPU_PID_BUSY]);
	sum[MEMORY_BUSY] = sw_add_u64(sum[MEMORY_BUSY],
				      values[SW_GPU_PID_MEMORY_BUSY]);
	sum[PROCESSES]++;
}

static enum sw_read_status read_rows(void *memory,
				     const struct sw_target *target,
				     struct sw_rows *rows)
{
	struct state *state = memory;
	const struct sw_rows *all;
	enum sw_read_status status;
	uint64_t *values;
	size_t i;

	/* No process of the step was ever seen. */
	if (!sw_tree_count(target->tree) &&
	    sw_is_missing(sw_tree_totals(target->tree)->user_usec))
		return SW_READ_ABSENT;
	status = sw_shared_take(state->shared, &sw_src_gpu_pids, &all);
	if (status != SW_READ_OK)
		return status;
	memset(state->sums, 0, sizeof(state->sums));
	for (i = 0; i < all->count; i++) {
		const uint64_t *found = sw_rows_values(all, i);
		uint64_t index = sw_rows_index(all, i);

		if (index < SW_GPUS_MAX &&
		    is_ours(target->tree, found[SW_GPU_PID]))
			add(state->sums[index], found);
	}
	for (i = 0; i < SW_GPUS_MAX; i++) {
		if (!state->sums[i][PROCESSES])
			continue;
		values = sw_rows_add(rows, i);
		if (values)
			memcpy(values, state->sums[i],
			       sizeof(state->sums[i]));
	}
	return SW_READ_OK;
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	state->shared = target->shared;
	if (!target->shared || !target->tree)
		return SW_READ_ABSENT;
	return sw_shared_open(target->shared, &sw_src_gpu_pids);
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	const struct state *state = memory;

	return sw_shared_describe(state->shared, &sw_src_gpu_pids, index,
				  subject);
}

const struct sw_source sw_src_gpu_process = {
	.name = "gpu_process",
	.backend = "nvml",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = SW_GPUS_MAX,
	.read_rows = read_rows,
	.describe = describe,
	.absence = "no NVIDIA GPU on this node",
};

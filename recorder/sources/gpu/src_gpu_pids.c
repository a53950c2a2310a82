/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the helper process.
 *
 * All compute processes on GPUs, of all users: one query per device, whatever
 * the number of processes.  Not recorded; each step gets the sums of its own
 * processes (src_gpu_process.c).
 */
#include "recorder/sources/gpu/src_gpu_pids.h"

#include "common/clock.h"
#include "common/missing.h"
#include "common/units.h"
#include "recorder/sources/gpu/gpus.h"
#include "recorder/sources/source.h"

static const struct sw_column columns[SW_GPU_PID_COLUMNS] = {
	[SW_GPU_PID] = { "pid", "", SW_KIND_STATE, "The process." },
	[SW_GPU_PID_MEMORY] = { "memory.used", "bytes", SW_KIND_GAUGE,
				"GPU memory that it holds." },
	[SW_GPU_PID_BUSY] = { "utilization.sm", "percent", SW_KIND_GAUGE,
			      "Share of time in which one of its kernels "
			      "ran." },
	[SW_GPU_PID_MEMORY_BUSY] = { "utilization.memory", "percent",
				     SW_KIND_GAUGE,
				     "The same for memory traffic." },
};

enum { PROCESSES_MAX = 128 };	/* per device */

/* The driver samples processes about once per second. */
#define SAMPLE_USEC (2 * SW_USEC_PER_SEC)

struct state {
	struct sw_gpus *gpus;
	size_t count;			/* for the current device */
	struct nvml_process found[PROCESSES_MAX];
	struct nvml_process_v1 found_v1[PROCESSES_MAX];
	struct nvml_process_sample samples[PROCESSES_MAX];
};

/* Find the processes; none if more than fit: sums would be partial. */
static void find_processes(struct state *state, struct nvml_device *handle)
{
	const struct sw_nvml *nvml = &state->gpus->nvml;
	unsigned int i, count = PROCESSES_MAX;

	state->count = 0;
	if (nvml->processes) {
		if (nvml->processes(handle, &count, state->found) ==
			    NVML_SUCCESS && count <= PROCESSES_MAX)
			state->count = count;
		return;
	}
	if (!nvml->processes_v1 ||
	    nvml->processes_v1(handle, &count, state->found_v1) !=
		    NVML_SUCCESS || count > PROCESSES_MAX)
		return;
	for (i = 0; i < count; i++)
		state->found[i] = (struct nvml_process){
			.pid = state->found_v1[i].pid,
			.used_bytes = state->found_v1[i].used_bytes,
		};
	state->count = count;
}

static uint64_t percent(unsigned int value)
{
	return value > 100 ? SW_MISSING : value;
}

/* Return the values of an existing row. */
static uint64_t *values_at(struct sw_rows *rows, size_t row)
{
	return rows->cells + row * (1 + rows->column_count) + 1;
}

/* Return the last sample of a process, or NULL. */
static const struct nvml_process_sample *find_sample(const struct state *state,
						     unsigned int count,
						     uint64_t pid)
{
	const struct nvml_process_sample *last = NULL;
	unsigned int i;

	for (i = 0; i < count; i++) {
		const struct nvml_process_sample *sample = &state->samples[i];

		if (sample->pid == pid &&
		    (!last || sample->time_usec > last->time_usec))
			last = sample;
	}
	return last;
}

/*
 * Only active processes have samples: without one in the driver's sampling
 * period, a process was idle.
 */
static void add_samples(struct state *state, const struct sw_gpu *gpu,
			struct sw_rows *rows, size_t first)
{
	const struct sw_nvml *nvml = &state->gpus->nvml;
	const struct nvml_process_sample *sample;
	unsigned int count = PROCESSES_MAX;
	uint64_t *values;
	size_t row;
	int status;

	/* Not available with MIG instances (documented). */
	if (!nvml->process_samples || gpu->is_mig)
		return;
	status = nvml->process_samples(gpu->handle, state->samples, &count,
				       sw_clock_realtime_usec() - SAMPLE_USEC);
	if (status == NVML_NOT_FOUND)
		count = 0;
	else if (status != NVML_SUCCESS || count > PROCESSES_MAX)
		return;
	for (row = first; row < rows->count; row++) {
		values = values_at(rows, row);
		sample = find_sample(state, count, values[SW_GPU_PID]);
		values[SW_GPU_PID_BUSY] =
			sample ? percent(sample->sm_percent) : 0;
		values[SW_GPU_PID_MEMORY_BUSY] =
			sample ? percent(sample->memory_percent) : 0;
	}
}

static void read_gpu(struct state *state, size_t index, struct sw_rows *rows)
{
	struct sw_gpu *gpu = &state->gpus->gpu[index];
	size_t i, first = rows->count;
	uint64_t *values;

	find_processes(state, gpu->handle);
	for (i = 0; i < state->count; i++) {
		values = sw_rows_add(rows, index);
		if (!values)
			break;
		values[SW_GPU_PID] = state->found[i].pid;
		values[SW_GPU_PID_MEMORY] = state->found[i].used_bytes;
	}
	if (rows->count > first)
		add_samples(state, gpu, rows, first);
}

static enum sw_read_status read_rows(void *memory,
				     const struct sw_target *target,
				     struct sw_rows *rows)
{
	struct state *state = memory;
	struct sw_gpus *gpus = state->gpus;
	size_t i;

	(void)target;
	for (i = 0; i < gpus->count; i++) {
		const struct sw_gpu *gpu = &gpus->gpu[i];

		/* A partitioned GPU reports the same as its instances. */
		if (gpu->is_there && gpu->handle && !gpu->has_instances &&
		    gpu->status == NVML_SUCCESS)
			read_gpu(state, i, rows);
	}
	return SW_READ_OK;
}

const struct sw_source sw_src_gpu_pids = {
	.name = "gpu_pids",
	.backend = "nvml",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_PERIOD,
	.is_out_of_process = true,
	.is_there = sw_gpus_are_there,
	.columns = columns,
	.column_count = SW_GPU_PID_COLUMNS,
	.state_size = sizeof(struct state),
	.open = sw_gpus_open,
	.rows_max = SW_GPU_PIDS_MAX,
	.read_rows = read_rows,
	.describe = sw_gpus_describe,
	.absence = "no NVIDIA GPU on this node",
	.close = sw_gpus_close,
};

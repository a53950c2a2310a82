/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measure the use of a step's GPUs from the rows of all GPUs of its node.  GPU
 * instances (MIG) do not report their utilization, so nodes with any are
 * skipped.
 */
#include "recorder/jobs/step_gpus.h"

#include <stdbool.h>
#include <string.h>

#include "common/gpu_list.h"
#include "common/missing.h"
#include "common/units.h"
#include "recorder/sources/reading.h"
#include "recorder/sources/shared.h"

enum { NO_GPU = UINT8_MAX, PERCENT = 100 };

/* NVIDIA's numbers follow the order of Slurm's list. */
static const struct {
	const struct sw_source *source;
	bool has_order;
} sources[] = { { &sw_src_gpu, true }, { &sw_src_gpu_amd, false } };

/* Return nvidia-smi's number; NO_GPU: an instance, or unknown. */
static uint8_t number_of(struct sw_step_gpus *gpus, struct sw_shared *shared,
			 const struct sw_source *source, uint64_t index)
{
	struct sw_subject subject;
	int number;

	if (index >= SW_STEP_GPU_ROWS)
		return NO_GPU;
	if (!gpus->number[index]) {
		if (!sw_shared_describe(shared, source, index, &subject))
			return NO_GPU;
		gpus->number[index] = NO_GPU;
		number = sw_gpu_number(subject.name);
		if (!strcmp(subject.kind, "gpu") && number >= 0)
			gpus->number[index] = (uint8_t)(number + 1);
	}
	return gpus->number[index] == NO_GPU
		       ? NO_GPU
		       : (uint8_t)(gpus->number[index] - 1);
}

/* Return the numbers of all GPUs in the rows as bits; 0: some are unknown. */
static uint64_t all_bits(struct sw_step_gpus *gpus, struct sw_shared *shared,
			 const struct sw_source *source,
			 const struct sw_rows *rows)
{
	uint64_t bits = 0;
	size_t i;

	for (i = 0; i < rows->count; i++) {
		uint8_t number =
			number_of(gpus, shared, source, sw_rows_index(rows, i));

		if (number == NO_GPU)
			return 0;
		bits |= (uint64_t)1 << number;
	}
	return bits;
}

/* Add a GPU and return its utilization in percent; missing. */
static uint64_t add(struct sw_step_gpus *gpus, const struct sw_source *source,
		    const uint64_t *values, uint64_t width_usec)
{
	uint64_t busy = values[sw_source_column(source, "utilization.gpu")];
	uint64_t used = values[sw_source_column(source, "memory.used")];

	if (!sw_is_missing(used) && used > gpus->memory_bytes)
		gpus->memory_bytes = used;
	if (sw_is_missing(busy) || busy > PERCENT)
		return SW_MISSING;
	gpus->seen_usec += width_usec;
	gpus->busy_usec += width_usec * busy / PERCENT;
	return busy;
}

/* Add the step's GPUs among the rows of a source. */
static void add_rows(struct sw_step_gpus *gpus, struct sw_shared *shared,
		     const struct sw_source *source, uint64_t given,
		     uint64_t width_usec)
{
	uint64_t percent, busiest = 0;
	const struct sw_rows *rows;
	bool is_seen = false;
	size_t i;

	if (sw_shared_take(shared, source, &rows) != SW_READ_OK)
		return;
	for (i = 0; i < rows->count; i++) {
		uint8_t number =
			number_of(gpus, shared, source, sw_rows_index(rows, i));

		if (number == NO_GPU || !(given >> number & 1))
			continue;
		percent = add(gpus, source, sw_rows_values(rows, i),
			      width_usec);
		if (sw_is_missing(percent))
			continue;
		is_seen = true;
		busiest = sw_max_u64(busiest, percent);
	}
	gpus->any_seen_usec += is_seen ? width_usec : 0;
	gpus->any_busy_usec += width_usec * busiest / PERCENT;
}

/* Return the GPUs of a source that the step was given; 0: none, or unknown. */
static uint64_t given_of(struct sw_step_gpus *gpus, struct sw_shared *shared,
			 size_t i, uint64_t count, const char *list)
{
	const struct sw_rows *rows;

	if (!count || sw_is_missing(count) ||
	    sw_shared_take(shared, sources[i].source, &rows) != SW_READ_OK)
		return 0;
	return sw_gpus_given(sw_gpu_list_parse(list), count,
			     all_bits(gpus, shared, sources[i].source, rows),
			     sources[i].has_order);
}

static void add_used(struct sw_step_gpus *gpus, struct sw_shared *shared,
		     const struct sw_rows *own)
{
	uint8_t number;
	size_t i;

	for (i = 0; own && i < own->count; i++) {
		number = number_of(gpus, shared, &sw_src_gpu,
				   sw_rows_index(own, i));
		if (number != NO_GPU)
			gpus->used |= (uint64_t)1 << number;
	}
}

void sw_step_gpus_take(struct sw_step_gpus *gpus, struct sw_shared *shared,
		       uint64_t count, const char *list,
		       const struct sw_rows *own, uint64_t now_usec)
{
	uint64_t width = gpus->last_usec && now_usec > gpus->last_usec
				 ? now_usec - gpus->last_usec
				 : 0,
		 given;
	size_t i;

	if (!shared)
		return;
	gpus->last_usec = now_usec;
	add_used(gpus, shared, own);
	if (width > SW_GPU_SAMPLE_USEC_MAX)
		width = 0;
	for (i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		given = given_of(gpus, shared, i, count, list);
		if (!given)
			continue;
		add_rows(gpus, shared, sources[i].source, given, width);
		return;
	}
	if (gpus->used)
		add_rows(gpus, shared, &sw_src_gpu, gpus->used, width);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The use of a step's GPUs, from the rows of all GPUs of its node.  Instances
 * of GPUs (MIG) do not say how busy they are, so a node with any is left out.
 */
#include "recorder/jobs/step_gpus.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/missing.h"
#include "common/units.h"
#include "recorder/sources/reading.h"
#include "recorder/sources/shared.h"

/* A sample says nothing of a time longer than that. */
#define WIDTH_USEC_MAX (60 * SW_USEC_PER_SEC)

enum { NO_GPU = UINT8_MAX, NUMBERS = 64, PERCENT = 100 };

/* NVIDIA's have numbers in the order of the PCI bus, as Slurm's list. */
static const struct {
	const struct sw_source *source;
	bool has_numbers;
} sources[] = { { &sw_src_gpu, true }, { &sw_src_gpu_amd, false } };

/* "0,3" as bits; 0 where it is no such list. */
static uint64_t parse_list(const char *text)
{
	uint64_t bits = 0;
	unsigned long number;
	char *end;

	for (; *text; text = *end ? end + 1 : end) {
		number = strtoul(text, &end, 10);
		if (end == text || (*end && *end != ',') || number >= NUMBERS)
			return 0;
		bits |= (uint64_t)1 << number;
	}
	return bits;
}

/* As nvidia-smi has it; NO_GPU: a part of one, or not known. */
static uint8_t number_of(struct sw_step_gpus *gpus, struct sw_shared *shared,
			 const struct sw_source *source, uint64_t index)
{
	struct sw_subject subject;
	unsigned int number;

	if (index >= SW_STEP_GPU_ROWS)
		return NO_GPU;
	if (!gpus->number[index]) {
		if (!sw_shared_describe(shared, source, index, &subject))
			return NO_GPU;
		gpus->number[index] = NO_GPU;
		if (!strcmp(subject.kind, "gpu") &&
		    (sscanf(subject.name, "GPU %u", &number) == 1 ||
		     sscanf(subject.name, "card%u", &number) == 1) &&
		    number < NUMBERS)
			gpus->number[index] = (uint8_t)(number + 1);
	}
	return gpus->number[index] == NO_GPU
		       ? NO_GPU
		       : (uint8_t)(gpus->number[index] - 1);
}

/* The numbers of those whose rows these are; 0: some are not known. */
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

static void add(struct sw_step_gpus *gpus, const struct sw_source *source,
		const uint64_t *values, uint64_t width_usec)
{
	uint64_t busy = values[sw_source_column(source, "utilization.gpu")];
	uint64_t used = values[sw_source_column(source, "memory.used")];

	if (!sw_is_missing(used) && used > gpus->memory_bytes)
		gpus->memory_bytes = used;
	if (sw_is_missing(busy) || busy > PERCENT)
		return;
	gpus->seen_usec += width_usec;
	gpus->busy_usec += width_usec * busy / PERCENT;
}

/* Those of the step among the rows of a source. */
static void add_rows(struct sw_step_gpus *gpus, struct sw_shared *shared,
		     const struct sw_source *source, uint64_t given,
		     uint64_t width_usec)
{
	const struct sw_rows *rows;
	size_t i;

	if (sw_shared_take(shared, source, &rows) != SW_READ_OK)
		return;
	for (i = 0; i < rows->count; i++) {
		uint8_t number =
			number_of(gpus, shared, source, sw_rows_index(rows, i));

		if (number != NO_GPU && given >> number & 1)
			add(gpus, source, sw_rows_values(rows, i), width_usec);
	}
}

/* Which of a source's are the step's; 0: none, or that is not known. */
static uint64_t given_of(struct sw_step_gpus *gpus, struct sw_shared *shared,
			 size_t i, uint64_t count, const char *list)
{
	const struct sw_rows *rows;
	uint64_t all, listed = parse_list(list);

	if (sw_shared_take(shared, sources[i].source, &rows) != SW_READ_OK)
		return 0;
	all = all_bits(gpus, shared, sources[i].source, rows);
	if (listed && sources[i].has_numbers)
		return (listed & ~all) == 0 ? listed : 0;
	return (uint64_t)__builtin_popcountll(all) == count ? all : 0;
}

void sw_step_gpus_take(struct sw_step_gpus *gpus, struct sw_shared *shared,
		       uint64_t count, const char *list, uint64_t now_usec)
{
	uint64_t width = gpus->last_usec && now_usec > gpus->last_usec
				 ? now_usec - gpus->last_usec
				 : 0,
		 given;
	size_t i;

	if (!shared || !count || sw_is_missing(count))
		return;
	gpus->last_usec = now_usec;
	for (i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		given = given_of(gpus, shared, i, count, list);
		if (!given)
			continue;
		add_rows(gpus, shared, sources[i].source, given,
			 width > WIDTH_USEC_MAX ? 0 : width);
		return;
	}
}

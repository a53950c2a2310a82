/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quantiles in fixed memory. */
#include "recorder/sketch.h"

#include <math.h>

#include "common/missing.h"

/* Bucket i holds values in [2^(i/8), 2^((i+1)/8)); 0 is with 1. */
static size_t bucket_of(uint64_t value)
{
	double octaves = value > 1 ? log2((double)value) : 0;
	size_t bucket = (size_t)(octaves * SW_SKETCH_PER_OCTAVE);

	return bucket < SW_SKETCH_BUCKETS ? bucket : SW_SKETCH_BUCKETS - 1;
}

void sw_sketch_add(struct sw_sketch *sketch, uint64_t value)
{
	uint32_t *bucket = &sketch->bucket[bucket_of(value)];

	if (*bucket < UINT32_MAX)
		(*bucket)++;
	sketch->count++;
	if (value > sketch->max)
		sketch->max = value;
}

uint64_t sw_sketch_quantile(const struct sw_sketch *sketch, double share)
{
	uint64_t wanted, seen = 0, middle;
	size_t i;

	if (sketch->count == 0)
		return SW_MISSING;
	wanted = (uint64_t)ceil(share * (double)sketch->count);
	for (i = 0; i < SW_SKETCH_BUCKETS; i++) {
		seen += sketch->bucket[i];
		if (seen >= wanted && sketch->bucket[i])
			break;
	}
	/* Rounded: cut off, a 3 would be a 2. */
	middle = (uint64_t)(exp2(((double)i + 0.5) / SW_SKETCH_PER_OCTAVE) +
			    0.5);
	return middle < sketch->max ? middle : sketch->max;
}

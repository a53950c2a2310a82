/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quantiles in little memory. */
#include "recorder/programs/sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/missing.h"
#include "recorder/kernel/share.h"

enum { ROOM_MIN = 4 };

/* Bucket i holds values in [2^(i/8), 2^((i+1)/8)); 0 is with 1. */
static uint16_t bucket_of(uint64_t value)
{
	double octaves = value > 1 ? log2((double)value) : 0;
	uint16_t bucket = (uint16_t)(octaves * SW_SKETCH_PER_OCTAVE);

	return bucket < SW_SKETCH_BUCKETS ? bucket : SW_SKETCH_BUCKETS - 1;
}

/* The first that is not below number. */
static size_t find(const struct sw_sketch *sketch, uint16_t number)
{
	size_t low = 0, high = sketch->used;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sketch->bucket[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool grow(struct sw_sketch *sketch)
{
	uint16_t room = sketch->room ? 2 * sketch->room : ROOM_MIN;
	size_t more = (room - sketch->room) * sizeof(*sketch->bucket);
	struct sw_sketch_bucket *bucket;

	if (!sw_share_take(sketch->share, more))
		return false;
	bucket = reallocarray(sketch->bucket, room, sizeof(*bucket));
	if (!bucket) {
		sw_share_give(sketch->share, more);
		return false;
	}
	sketch->bucket = bucket;
	sketch->room = room;
	return true;
}

/* The bucket of that number, or NULL without memory. */
static struct sw_sketch_bucket *need(struct sw_sketch *sketch, uint16_t number)
{
	size_t at = find(sketch, number);
	struct sw_sketch_bucket *bucket;

	if (at < sketch->used && sketch->bucket[at].number == number)
		return &sketch->bucket[at];
	if (sketch->used == sketch->room && !grow(sketch))
		return NULL;
	bucket = &sketch->bucket[at];
	memmove(bucket + 1, bucket, (sketch->used - at) * sizeof(*bucket));
	sketch->used++;
	*bucket = (struct sw_sketch_bucket){ .number = number };
	return bucket;
}

void sw_sketch_add(struct sw_sketch *sketch, uint64_t value)
{
	struct sw_sketch_bucket *bucket = need(sketch, bucket_of(value));

	if (!bucket)
		sketch->is_partial = true;
	else if (bucket->count < UINT32_MAX)
		bucket->count++;
	sketch->count++;
	if (value > sketch->max)
		sketch->max = value;
}

uint64_t sw_sketch_quantile(const struct sw_sketch *sketch, double share)
{
	uint64_t wanted, seen = 0, middle;
	double number = SW_SKETCH_BUCKETS;
	size_t i;

	if (sketch->count == 0 || sketch->is_partial)
		return SW_MISSING;
	wanted = (uint64_t)ceil(share * (double)sketch->count);
	for (i = 0; i < sketch->used; i++) {
		seen += sketch->bucket[i].count;
		if (seen < wanted)
			continue;
		number = sketch->bucket[i].number;
		break;
	}
	/* Rounded: cut off, a 3 would be a 2. */
	middle = (uint64_t)(exp2((number + 0.5) / SW_SKETCH_PER_OCTAVE) + 0.5);
	return middle < sketch->max ? middle : sketch->max;
}

void sw_sketch_clear(struct sw_sketch *sketch)
{
	sw_share_give(sketch->share,
		      sketch->room * sizeof(*sketch->bucket));
	free(sketch->bucket);
	*sketch = (struct sw_sketch){ .share = sketch->share };
}

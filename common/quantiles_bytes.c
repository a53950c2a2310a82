/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Serialize sketches to bytes, the same on every machine. */
#include <errno.h>
#include <stdlib.h>

#include "common/missing.h"
#include "common/quantiles.h"

enum { HEAD_NUMBERS = 9, HEAD_BYTES = HEAD_NUMBERS * 8, BUCKET_BYTES = 10 };

static uint8_t *put(uint8_t *bytes, uint64_t value, size_t size)
{
	for (; size > 0; size--, value >>= 8)
		*bytes++ = (uint8_t)value;
	return bytes;
}

static uint64_t take(const uint8_t **bytes, size_t size)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < size; i++)
		value |= (uint64_t)*(*bytes)++ << (8 * i);
	return value;
}

size_t sw_quantiles_size_bytes(const struct sw_quantiles *sketch)
{
	return HEAD_BYTES + sketch->used * BUCKET_BYTES;
}

void sw_quantiles_write(const struct sw_quantiles *sketch, uint8_t *bytes)
{
	const uint64_t head[HEAD_NUMBERS] = {
		SW_QUANTILES_VERSION, sketch->count, sketch->sum_high,
		sketch->sum_low, sketch->min, sketch->max, sketch->missing,
		sketch->refused, sketch->used,
	};
	size_t i;

	for (i = 0; i < HEAD_NUMBERS; i++)
		bytes = put(bytes, head[i], 8);
	for (i = 0; i < sketch->used; i++) {
		bytes = put(bytes, sketch->bucket[i].number, 2);
		bytes = put(bytes, sketch->bucket[i].count, 8);
	}
}

static void take_head(struct sw_quantiles *sketch, const uint8_t **bytes)
{
	sketch->count = take(bytes, 8);
	sketch->sum_high = take(bytes, 8);
	sketch->sum_low = take(bytes, 8);
	sketch->min = take(bytes, 8);
	sketch->max = take(bytes, 8);
	sketch->missing = take(bytes, 8);
	sketch->refused = take(bytes, 8);
	sketch->used = (size_t)take(bytes, 8);
}

/* Check if the members are consistent, as in any sketch built by adding. */
static bool is_sound(const struct sw_quantiles *sketch)
{
	uint64_t count = 0;
	size_t i;

	if (sketch->used == 0)
		return !(sketch->count | sketch->sum_high | sketch->sum_low |
			 sketch->min | sketch->max);
	for (i = 0; i < sketch->used; i++) {
		const struct sw_quantiles_bucket *bucket = &sketch->bucket[i];

		if (bucket->count == 0 ||
		    bucket->number >= SW_QUANTILES_BUCKETS ||
		    (i > 0 && bucket->number <= bucket[-1].number))
			return false;
		count = bucket->count > UINT64_MAX - count ?
			UINT64_MAX : count + bucket->count;
	}
	return count == sketch->count && sketch->min <= sketch->max &&
	       !sw_is_missing(sketch->max) &&
	       sw_quantiles_bucket_of(sketch->min) ==
		       sketch->bucket[0].number &&
	       sw_quantiles_bucket_of(sketch->max) ==
		       sketch->bucket[sketch->used - 1].number;
}

static int take_buckets(struct sw_quantiles *sketch, const uint8_t *bytes)
{
	size_t i;

	sketch->room = sketch->used + 1;
	sketch->bucket = calloc(sketch->room, sizeof(*sketch->bucket));
	if (!sketch->bucket)
		return -1;
	for (i = 0; i < sketch->used; i++) {
		sketch->bucket[i].number = (uint16_t)take(&bytes, 2);
		sketch->bucket[i].count = take(&bytes, 8);
	}
	return 0;
}

int sw_quantiles_read(struct sw_quantiles *sketch, const uint8_t *bytes,
		      size_t size_bytes)
{
	struct sw_quantiles read = { 0 };

	errno = EINVAL;
	if (size_bytes < HEAD_BYTES || take(&bytes, 8) != SW_QUANTILES_VERSION)
		return -1;
	take_head(&read, &bytes);
	if (read.used > SW_QUANTILES_BUCKETS ||
	    size_bytes != sw_quantiles_size_bytes(&read))
		return -1;
	if (take_buckets(&read, bytes) < 0)
		return -1;
	if (!is_sound(&read)) {
		sw_quantiles_fini(&read);
		errno = EINVAL;
		return -1;
	}
	*sketch = read;
	return 0;
}

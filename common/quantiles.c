/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sketches of distributions: add, merge and query. */
#include "common/quantiles.h"

#include <stdlib.h>
#include <string.h>

#include "common/missing.h"

enum {
	EXACT = 64,		/* smaller values have a bucket each */
	EXACT_BITS = 6, OCTAVE_BITS = 5,
	ROOM_FIRST = 4,
	PLACES_FROM = 16,	/* buckets; a search of fewer is as fast */
};

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint16_t sw_quantiles_bucket_of(uint64_t value)
{
	unsigned octave, part;

	if (value < EXACT)
		return (uint16_t)value;
	octave = 63 - (unsigned)__builtin_clzll(value);
	part = (unsigned)(value >> (octave - OCTAVE_BITS)) &
	       (SW_QUANTILES_PER_OCTAVE - 1);
	return (uint16_t)(EXACT + part + (octave - EXACT_BITS) *
			  SW_QUANTILES_PER_OCTAVE);
}

static uint64_t middle_of(uint16_t number)
{
	unsigned above = number, octave, part;

	if (number < EXACT)
		return number;
	above -= EXACT;
	octave = above / SW_QUANTILES_PER_OCTAVE + EXACT_BITS;
	part = above % SW_QUANTILES_PER_OCTAVE;
	return ((uint64_t)(SW_QUANTILES_PER_OCTAVE + part)
		<< (octave - OCTAVE_BITS)) +
	       ((uint64_t)1 << (octave - EXACT_BITS));
}

/* Find the first bucket that is not below number. */
static size_t find(const struct sw_quantiles *sketch, uint16_t number)
{
	size_t low = 0, high = sketch->used;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sketch->bucket[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Look up an existing bucket in the index; SIZE_MAX: no index, or absent. */
static size_t known_place(const struct sw_quantiles *sketch, uint16_t number)
{
	unsigned offset = (unsigned)number - sketch->place_first;

	/* A number below the first wraps around to beyond the count. */
	if (offset >= sketch->place_count || !sketch->place[offset])
		return SIZE_MAX;
	return (size_t)sketch->place[offset] - 1;
}

static void drop_places(struct sw_quantiles *sketch)
{
	free(sketch->place);
	sketch->place = NULL;
	sketch->place_first = sketch->place_count = 0;
}

static void fill_places(struct sw_quantiles *sketch, size_t from)
{
	size_t i;

	for (i = from; i < sketch->used; i++)
		sketch->place[sketch->bucket[i].number - sketch->place_first] =
			(uint16_t)(i + 1);
}

/*
 * Update the index after an insertion at this position.  It has room on both
 * sides, since most distributions grow there.  Without memory for an index,
 * buckets are searched.
 */
static void keep_places(struct sw_quantiles *sketch, size_t at)
{
	unsigned first = sketch->bucket[0].number;
	unsigned last = sketch->bucket[sketch->used - 1].number;
	unsigned room = (last - first) / 4;

	if (sketch->used < PLACES_FROM)
		return;
	if (sketch->place && first >= sketch->place_first &&
	    last - sketch->place_first < sketch->place_count) {
		fill_places(sketch, at);
		return;
	}
	drop_places(sketch);
	first -= first < room ? first : room;
	last += room;
	if (last >= SW_QUANTILES_BUCKETS)
		last = SW_QUANTILES_BUCKETS - 1;
	sketch->place = calloc(last - first + 1, sizeof(*sketch->place));
	if (!sketch->place)
		return;
	sketch->place_first = (uint16_t)first;
	sketch->place_count = (uint16_t)(last - first + 1);
	fill_places(sketch, 0);
}

static int grow(struct sw_quantiles *sketch)
{
	size_t room = sketch->room ? 2 * sketch->room : ROOM_FIRST;
	struct sw_quantiles_bucket *bucket;

	bucket = reallocarray(sketch->bucket, room, sizeof(*bucket));
	if (!bucket)
		return -1;
	sketch->bucket = bucket;
	sketch->room = room;
	return 0;
}

static int count_in_bucket(struct sw_quantiles *sketch, uint16_t number)
{
	size_t at = known_place(sketch, number);
	struct sw_quantiles_bucket *bucket;

	if (at == SIZE_MAX)
		at = find(sketch, number);
	if (at == sketch->used || sketch->bucket[at].number != number) {
		if (sketch->used == sketch->room && grow(sketch) < 0)
			return -1;
		bucket = &sketch->bucket[at];
		memmove(bucket + 1, bucket,
			(sketch->used - at) * sizeof(*bucket));
		sketch->used++;
		*bucket = (struct sw_quantiles_bucket){ .number = number };
		keep_places(sketch, at);
	}
	bucket = &sketch->bucket[at];
	bucket->count = add_saturating(bucket->count, 1);
	return 0;
}

static void add_sum(struct sw_quantiles *sketch, uint64_t high, uint64_t low)
{
	uint64_t carry = sketch->sum_low > UINT64_MAX - low;

	sketch->sum_low += low;
	if (high > UINT64_MAX - carry ||
	    sketch->sum_high > UINT64_MAX - high - carry)
		sketch->sum_high = sketch->sum_low = UINT64_MAX;
	else
		sketch->sum_high += high + carry;
}

static void widen(struct sw_quantiles *sketch, uint64_t min, uint64_t max)
{
	if (sketch->count == 0 || min < sketch->min)
		sketch->min = min;
	if (max > sketch->max)
		sketch->max = max;
}

int sw_quantiles_add(struct sw_quantiles *sketch, uint64_t value)
{
	if (sw_is_missing(value)) {
		sketch->missing = add_saturating(sketch->missing, 1);
		return 0;
	}
	if (count_in_bucket(sketch, sw_quantiles_bucket_of(value)) < 0)
		return -1;
	widen(sketch, value, value);
	add_sum(sketch, 0, value);
	sketch->count = add_saturating(sketch->count, 1);
	return 0;
}

/* Merge the buckets of both by number into to, which has room for all.  Returns
 * their number. */
static size_t merge_buckets(struct sw_quantiles_bucket *to,
			    const struct sw_quantiles *one,
			    const struct sw_quantiles *two)
{
	size_t i = 0, j = 0, used = 0;

	while (i < one->used || j < two->used) {
		if (j == two->used ||
		    (i < one->used &&
		     one->bucket[i].number < two->bucket[j].number)) {
			to[used++] = one->bucket[i++];
			continue;
		}
		to[used] = two->bucket[j];
		if (i < one->used &&
		    one->bucket[i].number == two->bucket[j].number)
			to[used].count = add_saturating(to[used].count,
							one->bucket[i++].count);
		j++;
		used++;
	}
	return used;
}

int sw_quantiles_merge(struct sw_quantiles *sketch,
		       const struct sw_quantiles *other)
{
	struct sw_quantiles_bucket *merged;
	size_t room;

	if (other->used > 0) {
		room = sketch->used + other->used;
		merged = calloc(room, sizeof(*merged));
		if (!merged)
			return -1;
		sketch->used = merge_buckets(merged, sketch, other);
		drop_places(sketch);
		free(sketch->bucket);
		sketch->bucket = merged;
		sketch->room = room;
		widen(sketch, other->min, other->max);
		add_sum(sketch, other->sum_high, other->sum_low);
	}
	sketch->count = add_saturating(sketch->count, other->count);
	sketch->missing = add_saturating(sketch->missing, other->missing);
	sketch->refused = add_saturating(sketch->refused, other->refused);
	return 0;
}

/* Return the 1-based rank of the value at this quantile. */
static uint64_t rank_of(uint64_t count, unsigned numerator,
			unsigned denominator)
{
	uint64_t rank = count / denominator * numerator +
		(count % denominator * numerator + denominator - 1) /
		denominator;

	return rank > 0 ? rank : 1;
}

uint64_t sw_quantiles_at(const struct sw_quantiles *sketch, unsigned numerator,
			 unsigned denominator)
{
	uint64_t wanted, seen = 0, middle;
	size_t i;

	if (sketch->count == 0)
		return SW_MISSING;
	wanted = rank_of(sketch->count, numerator, denominator);
	for (i = 0; i + 1 < sketch->used; i++) {
		seen = add_saturating(seen, sketch->bucket[i].count);
		if (seen >= wanted)
			break;
	}
	middle = middle_of(sketch->bucket[i].number);
	if (middle < sketch->min)
		return sketch->min;
	return middle < sketch->max ? middle : sketch->max;
}

size_t sw_quantiles_memory_bytes(const struct sw_quantiles *sketch)
{
	return sketch->room * sizeof(*sketch->bucket) +
	       sketch->place_count * sizeof(*sketch->place);
}

void sw_quantiles_fini(struct sw_quantiles *sketch)
{
	free(sketch->bucket);
	free(sketch->place);
	memset(sketch, 0, sizeof(*sketch));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sketch a distribution of values: counts in buckets whose width grows with the
 * value, so that the relative error of each quantile is at most 1/64.
 *
 * Values below 64 have a bucket each.  From there each doubling has 32 of equal
 * width: [2^k + j * 2^(k-5), 2^k + (j+1) * 2^(k-5)), so the middle of one is at
 * most 2^(k-6) from any value in it, which is at least 2^k: 1/64.  A bucket is
 * found from the bits of the value alone, as in HdrHistogram (Tene), and the
 * bound is the relative one of DDSketch (Masson, Rim, Lee: VLDB 2019, section
 * 2), without logarithms, which may differ from machine to machine.
 *
 * All members are integers, and addition, minimum and maximum commute, so the
 * same values give the same sketch and the same bytes, however they were
 * divided and in whatever order they came.  Overflow saturates at the largest
 * number, in any order, too.
 */
#ifndef SW_COMMON_QUANTILES_H
#define SW_COMMON_QUANTILES_H

#include <stddef.h>
#include <stdint.h>

enum {
	SW_QUANTILES_VERSION = 1,
	SW_QUANTILES_PER_OCTAVE = 32,
	/* 64 for one value each, then the octaves from 2^6 to 2^63. */
	SW_QUANTILES_BUCKETS = 64 + 58 * SW_QUANTILES_PER_OCTAVE,
};

struct sw_quantiles_bucket {
	uint16_t number;
	uint64_t count;			/* never 0; saturating */
};

/* All zero is empty. */
struct sw_quantiles {
	uint64_t count;			/* saturating, as all below */
	uint64_t sum_high, sum_low;	/* of all values, 128 bits */
	uint64_t min, max;		/* 0 if there are no values */
	uint64_t missing;		/* unknown values */
	uint64_t refused;		/* in bytes of older nights */
	struct sw_quantiles_bucket *bucket;	/* in ascending order */
	size_t used, room;
	/*
	 * Index for sketches with many buckets: place[i] is the 1-based
	 * position of bucket number place_first + i; 0: absent.  NULL: use
	 * binary search.
	 */
	uint16_t *place;
	uint16_t place_first, place_count;
};

/*
 * Add a value; SW_MISSING is only counted.  0, or -1 with errno ENOMEM and the
 * sketch unchanged.
 */
int sw_quantiles_add(struct sw_quantiles *sketch, uint64_t value);

/* Return the bucket of a value, up to SW_QUANTILES_BUCKETS - 1. */
uint16_t sw_quantiles_bucket_of(uint64_t value);

/* Add all of another sketch.  Returns as sw_quantiles_add(). */
int sw_quantiles_merge(struct sw_quantiles *sketch,
		       const struct sw_quantiles *other);

/*
 * Return the quantile numerator / denominator (at most 1, denominator 1 to
 * 10,000), within 1/64 and between min and max.  SW_MISSING if the sketch is
 * empty.
 */
uint64_t sw_quantiles_at(const struct sw_quantiles *sketch, unsigned numerator,
			 unsigned denominator);

/* Return the allocated memory. */
size_t sw_quantiles_memory_bytes(const struct sw_quantiles *sketch);

void sw_quantiles_fini(struct sw_quantiles *sketch);

/*
 * Serialized size.  Format, little-endian: the version, the seven numbers above
 * in their order, the number of buckets (8 bytes each), then number (2) and
 * count (8) of each bucket.
 */
size_t sw_quantiles_size_bytes(const struct sw_quantiles *sketch);

/* bytes must have room for sw_quantiles_size_bytes(). */
void sw_quantiles_write(const struct sw_quantiles *sketch, uint8_t *bytes);

/*
 * Parse untrusted bytes into an empty sketch.  0, or -1 with errno EINVAL
 * (damaged, or another version) or ENOMEM.
 */
int sw_quantiles_read(struct sw_quantiles *sketch, const uint8_t *bytes,
		      size_t size_bytes);

#endif

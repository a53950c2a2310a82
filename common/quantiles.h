/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many values are distributed: counts in buckets whose width
 * grows with the value, so that every quantile is right within 1/64 of itself.
 *
 * Values below 64 have a bucket each.  From there each doubling has 32 of equal
 * width: [2^k + j * 2^(k-5), 2^k + (j+1) * 2^(k-5)), so the middle of one is at
 * most 2^(k-6) from any value in it, which is at least 2^k: 1/64.  A bucket is
 * found from the bits of the value alone, as in HdrHistogram (Tene), and the
 * bound is the relative one of DDSketch (Masson, Rim, Lee: VLDB 2019, section
 * 2), without logarithms, which may differ from machine to machine.
 *
 * Everything kept is an integer, and adding, minimum and maximum commute, so
 * the same values give the same sketch and the same bytes, however they were
 * divided, in whatever order they came.  What would not fit stays at the
 * largest number, which no order changes either.
 */
#ifndef SW_COMMON_QUANTILES_H
#define SW_COMMON_QUANTILES_H

#include <stddef.h>
#include <stdint.h>

enum {
	SW_QUANTILES_VERSION = 1,
	SW_QUANTILES_PER_OCTAVE = 32,
	/* 64 of one value each, then the octaves from 2^6 to 2^63. */
	SW_QUANTILES_BUCKETS = 64 + 58 * SW_QUANTILES_PER_OCTAVE,
};

struct sw_quantiles_bucket {
	uint16_t number;
	uint64_t count;			/* never 0; saturating */
};

/* All zero is empty. */
struct sw_quantiles {
	uint64_t count;			/* saturating, as all that follow */
	uint64_t sum_high, sum_low;	/* of all values, 128 bits */
	uint64_t min, max;		/* of no value: 0 */
	uint64_t missing;		/* values that were not known */
	uint64_t refused;		/* negative ones */
	struct sw_quantiles_bucket *bucket;	/* by number, rising */
	size_t used, room;
	/*
	 * Where there are many, how one is found: place[i] is that of bucket
	 * number place_first + i, from 1; 0: it is not there.  NULL: by search.
	 */
	uint16_t *place;
	uint16_t place_first, place_count;
};

/*
 * Add a value; SW_MISSING is only counted.  0, or -1 with errno ENOMEM, and
 * the sketch is as it was.
 */
int sw_quantiles_add(struct sw_quantiles *sketch, uint64_t value);

/* The same for a difference or a parsed number; one below 0 is refused. */
int sw_quantiles_add_signed(struct sw_quantiles *sketch, int64_t value);

/* Which bucket a value is in, up to SW_QUANTILES_BUCKETS - 1. */
uint16_t sw_quantiles_bucket_of(uint64_t value);

/* Add all that another one has.  As sw_quantiles_add(). */
int sw_quantiles_merge(struct sw_quantiles *sketch,
		       const struct sw_quantiles *other);

/*
 * The value that a share of all, numerator / denominator (at most 1, and the
 * denominator 1 to 10,000), does not exceed: within 1/64, and between min and
 * max.  SW_MISSING of an empty sketch.
 */
uint64_t sw_quantiles_at(const struct sw_quantiles *sketch, unsigned numerator,
			 unsigned denominator);

/* What was allocated for it. */
size_t sw_quantiles_memory_bytes(const struct sw_quantiles *sketch);

void sw_quantiles_fini(struct sw_quantiles *sketch);

/*
 * As bytes, little-endian: the version, the seven numbers above in their
 * order, how many buckets there are (each 8 bytes), then for each its number
 * (2) and its count (8).
 */
size_t sw_quantiles_size_bytes(const struct sw_quantiles *sketch);

/* bytes has room for sw_quantiles_size_bytes(). */
void sw_quantiles_write(const struct sw_quantiles *sketch, uint8_t *bytes);

/*
 * The opposite, of bytes that are not trusted, into an empty sketch.  0, or -1
 * with errno EINVAL (damaged, or of another version) or ENOMEM.
 */
int sw_quantiles_read(struct sw_quantiles *sketch, const uint8_t *bytes,
		      size_t size_bytes);

#endif

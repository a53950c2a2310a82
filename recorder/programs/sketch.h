/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quantiles of a distribution of positive numbers: counts in buckets whose
 * bounds grow by 2^(1/8), so that every quantile is right within half of that
 * (Masson, Rim, Lee: DDSketch, VLDB 2019).  Only buckets that hold something
 * take memory: 8 bytes each.
 */
#ifndef SW_RECORDER_SKETCH_H
#define SW_RECORDER_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sw_share;

enum {
	SW_SKETCH_BUCKETS = 512,	/* up to 2^64 by eighths of a doubling */
	SW_SKETCH_PER_OCTAVE = 8,
};

struct sw_sketch_bucket {
	uint16_t number;
	uint32_t count;			/* saturating */
};

/* All zero is empty. */
struct sw_sketch {
	uint64_t count;
	uint64_t max;
	struct sw_share *share;		/* pays for the buckets; NULL: nobody */
	struct sw_sketch_bucket *bucket;	/* by number */
	uint16_t used, room;
	bool is_partial;		/* a bucket could not be had */
};

void sw_sketch_add(struct sw_sketch *sketch, uint64_t value);

/*
 * The value that the share (0 to 1) of all values does not exceed, within
 * 4.5 %; SW_MISSING of an empty sketch, and of one that had no memory for
 * all of them.
 */
uint64_t sw_sketch_quantile(const struct sw_sketch *sketch, double share);

/* Empty it, and give its memory back. */
void sw_sketch_clear(struct sw_sketch *sketch);

#endif

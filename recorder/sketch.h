/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quantiles of a distribution of positive numbers in fixed memory: counts in
 * buckets whose bounds grow by 2^(1/8), so that every quantile is right
 * within half of that (Masson, Rim, Lee: DDSketch, VLDB 2019).
 */
#ifndef SW_RECORDER_SKETCH_H
#define SW_RECORDER_SKETCH_H

#include <stddef.h>
#include <stdint.h>

enum {
	SW_SKETCH_BUCKETS = 512,	/* up to 2^64 by eighths of a doubling */
	SW_SKETCH_PER_OCTAVE = 8,
};

struct sw_sketch {
	uint64_t count;
	uint64_t max;
	uint32_t bucket[SW_SKETCH_BUCKETS];	/* saturating */
};

void sw_sketch_add(struct sw_sketch *sketch, uint64_t value);

/*
 * The value that the share (0 to 1) of all values does not exceed, within
 * 4.5 %; SW_MISSING of an empty sketch.
 */
uint64_t sw_sketch_quantile(const struct sw_sketch *sketch, double share);

#endif

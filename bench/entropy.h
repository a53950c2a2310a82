/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How small a trace could be: an estimate that any codec can be held against.
 *
 * Per column, over all tasks: each value's difference from the same task's
 * value before, less the column's median difference, falls into a bucket by
 * sign and number of bits.  The estimate is the order-0 entropy of the
 * buckets plus the bits of the place within the bucket.  It ignores what
 * columns, tasks and neighbouring ticks tell about each other, so a codec may
 * come out below it.
 */
#ifndef BENCH_ENTROPY_H
#define BENCH_ENTROPY_H

#include <stddef.h>
#include <stdint.h>

/*
 * values[tick][task][column], at least two ticks.  Returns bits for all rows
 * but the first tick's, in *column_bits (one for each column, may be NULL)
 * apart and as the sum; negative when memory cannot be had.
 */
double entropy_estimate_bits(const uint64_t *values, uint64_t tick_count,
			     uint64_t task_count, uint64_t column_count,
			     double *column_bits);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimate of the size of a trace, to compare any codec with.
 *
 * Per column, over all tasks: each value's difference from the same task's
 * previous value, less the column's median difference, falls into a bucket by
 * sign and number of bits.  The estimate is the order-0 entropy of the buckets
 * plus the bits of the position within the bucket.  It ignores correlations of
 * columns, tasks and neighboring ticks, so a codec may come out below it.
 */
#ifndef BENCH_ENTROPY_H
#define BENCH_ENTROPY_H

#include <stddef.h>
#include <stdint.h>

/*
 * values[tick][task][column], at least two ticks.  Returns the bits of all rows
 * except the first tick's, in *column_bits per column (may be NULL) and as the
 * sum; negative if out of memory.
 */
double entropy_estimate_bits(const uint64_t *values, uint64_t tick_count,
			     uint64_t task_count, uint64_t column_count,
			     double *column_bits);

#endif

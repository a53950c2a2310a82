/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How sure a figure of many measurements is. */
#ifndef BENCH_INTERVAL_H
#define BENCH_INTERVAL_H

#include <stddef.h>

/* What was found, and between what it is 95 times of 100. */
struct interval {
	double value, low, high;
};

/*
 * The median of values, not none of them, which are sorted.  The interval is
 * between two of them, as the binomial distribution has it (Conover, Practical
 * Nonparametric Statistics, 3.2, with the normal one in its place).
 */
struct interval interval_of_median(double *values, size_t count);

/*
 * The sum of the ones over the sum of the others, which are pairs, not none.
 * The interval is by bootstrap (Efron 1979, percentiles of 1,000 resamples of
 * the pairs), the same for the same values.
 */
struct interval interval_of_sums(const double *above, const double *below,
				 size_t count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Confidence intervals of repeated measurements. */
#ifndef BENCH_INTERVAL_H
#define BENCH_INTERVAL_H

#include <stddef.h>

/* A value and its 95 % confidence interval. */
struct interval {
	double value, low, high;
};

/*
 * Median of at least one value; sorts values.  The interval is between two of
 * them, by the binomial distribution (Conover, Practical Nonparametric
 * Statistics, 3.2, approximated by the normal one).
 */
struct interval interval_of_median(double *values, size_t count);

/*
 * Sum of above over sum of below, which are at least one pair.  The interval is
 * by bootstrap (Efron 1979, percentiles of 1,000 resamples of the pairs), the
 * same for the same values.
 */
struct interval interval_of_sums(const double *above, const double *below,
				 size_t count);

#endif

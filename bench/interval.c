/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Confidence intervals without assumptions on the distribution.
 *
 * Cannot fail.
 */
#include "bench/interval.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { RESAMPLES = 1000, LOW = 25, HIGH = 975 };

/* 95 % of the normal distribution lies within this many deviations. */
static const double normal_95 = 1.96;

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

struct interval interval_of_median(double *values, size_t count)
{
	const double half = (double)count / 2;
	const double reach = normal_95 * sqrt((double)count) / 2;
	/* Ranks count from 1 and are clamped. */
	const double low = fmax(floor(half - reach), 1);
	const double high = fmin(ceil(half + reach) + 1, (double)count);

	qsort(values, count, sizeof(*values), compare);
	return (struct interval){
		.value = (values[(count - 1) / 2] + values[count / 2]) / 2,
		.low = values[(size_t)low - 1],
		.high = values[(size_t)high - 1],
	};
}

/* xorshift64 (Marsaglia 2003). */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static double ratio_of_resample(const double *above, const double *below,
				size_t count, uint64_t *random)
{
	double sum_above = 0, sum_below = 0;
	size_t i, at;

	for (i = 0; i < count; i++) {
		at = (size_t)(next_random(random) % count);
		sum_above += above[at];
		sum_below += below[at];
	}
	return sum_above / sum_below;
}

struct interval interval_of_sums(const double *above, const double *below,
				 size_t count)
{
	double ratios[RESAMPLES], sum_above = 0, sum_below = 0;
	uint64_t random = 88172645463325252;
	size_t i;

	for (i = 0; i < RESAMPLES; i++)
		ratios[i] = ratio_of_resample(above, below, count, &random);
	qsort(ratios, RESAMPLES, sizeof(*ratios), compare);
	for (i = 0; i < count; i++) {
		sum_above += above[i];
		sum_below += below[i];
	}
	return (struct interval){
		.value = sum_above / sum_below,
		.low = ratios[LOW - 1],
		.high = ratios[HIGH - 1],
	};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detect change and trend in at least six values. */
#include "advice/drift.h"

#include <math.h>
#include <stdlib.h>

#include "advice/sample.h"

/* Thresholds of probability, and of the ratio that matters for a request. */
static const double least_p = 0.01;
static const double least_ratio = 1.25;

enum { LEAST_VALUES = 6 };

static double ratio_at(const double *values, size_t count, size_t change,
		       double *scratch)
{
	double before, after;

	before = sw_sample_median(scratch, values, change);
	after = sw_sample_median(scratch, values + change, count - change);
	return after / before;
}

static bool is_large(double ratio)
{
	return ratio >= least_ratio || ratio <= 1 / least_ratio;
}

/*
 * Pettitt's U (2.3) by ranks: U_t = 2 * (ranks of the first t) - t (n + 1); p
 * (2.7) is 2 exp(-6 K^2 / (n^3 + n^2)) for the largest |U_t|, K.
 */
static void test_change(const double *ranks, size_t count,
			struct sw_drift *drift)
{
	double n = (double)count, sum = 0, largest = 0;

	for (size_t t = 1; t < count; t++) {
		double u;

		sum += ranks[t - 1];
		u = fabs(2 * sum - (double)t * (n + 1));
		if (u > largest) {
			largest = u;
			drift->change = t;
		}
	}
	drift->test = "Pettitt's test";
	drift->p = fmin(1, 2 * exp(-6 * largest * largest /
				   (n * n * n + n * n)));
}

struct pairs {
	double s;	/* Kendall's: concordant less discordant pairs */
	double ties;	/* sum of t (t - 1) (2 t + 5) over t equal values */
};

/*
 * seen is a Fenwick tree, initially 0, of the number of values seen by rank, in
 * units of half a rank (P. M. Fenwick, "A new data structure for cumulative
 * frequency tables", Software: Practice and Experience 24 (1994) 327-336).
 */
static struct pairs count_pairs(const double *ranks, size_t count, size_t *seen)
{
	struct pairs pairs = { 0 };

	for (size_t i = 0; i < count; i++) {
		size_t rank = (size_t)(2 * ranks[i]), below = 0, equal = 0, at;

		for (at = rank - 1; at > 0; at &= at - 1)
			below += seen[at];
		for (at = rank; at > 0; at &= at - 1)
			equal += seen[at];
		equal -= below;
		for (at = rank; at <= 2 * count; at += at & -at)
			seen[at]++;
		pairs.s += 2 * (double)below + (double)equal - (double)i;
		/* Increment of the sum for one more after e equal values. */
		pairs.ties += 6 * (double)equal * (double)(equal + 2);
	}
	return pairs;
}

/*
 * Return the two-sided p by the normal distribution, with continuity
 * correction; NAN: out of memory.
 */
static double trend_p(const double *ranks, size_t count)
{
	double n = (double)count, variance;
	size_t *seen = calloc(2 * count + 1, sizeof(*seen));
	struct pairs pairs;

	if (!seen)
		return NAN;
	pairs = count_pairs(ranks, count, seen);
	free(seen);
	variance = (n * (n - 1) * (2 * n + 5) - pairs.ties) / 18;
	if (!(variance > 0) || pairs.s == 0)
		return 1;
	return erfc((fabs(pairs.s) - 1) / sqrt(2 * variance));
}

int sw_drift_test(const double *values, size_t count, struct sw_drift *drift)
{
	double *ranks, p = NAN;

	*drift = (struct sw_drift){ .p = 1, .ratio = 1, .test = "none" };
	if (count < LEAST_VALUES)
		return 0;
	ranks = sw_sample_ranks(values, count);
	if (ranks)
		p = trend_p(ranks, count);
	if (isnan(p)) {
		free(ranks);
		return -1;
	}
	test_change(ranks, count, drift);
	if (drift->p >= least_p && p < least_p) {
		drift->test = "Mann and Kendall's test";
		drift->p = p;
		drift->is_trend = true;
		drift->change = count / 2;
	}
	if (drift->change > 0)
		drift->ratio = ratio_at(values, count, drift->change, ranks);
	free(ranks);
	drift->is_drift = drift->p < least_p && is_large(drift->ratio);
	return 0;
}

int sw_drift_steady(const double *values, size_t count, size_t least,
		    struct sw_drift *drift, size_t *from)
{
	struct sw_drift rest;
	size_t start = 0;

	if (sw_drift_test(values, count, drift) < 0)
		return -1;
	rest = *drift;
	while (rest.is_drift && !rest.is_trend) {
		start += rest.change;
		if (sw_drift_test(values + start, count - start, &rest) < 0)
			return -1;
	}
	if (rest.is_drift || (start > 0 && count - start < least))
		start = count;
	*from = start;
	return 0;
}

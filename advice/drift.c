/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pettitt's test; says nothing of fewer than eight values. */
#include "advice/drift.h"

#include <math.h>
#include <stdlib.h>

#include "advice/sample.h"

/* Probable, and large enough to matter for what is asked for. */
static const double least_p = 0.01;
static const double least_ratio = 1.25;

enum { LEAST_VALUES = 8 };

static double ratio_at(const double *values, size_t count, size_t change,
		       double *scratch)
{
	double before, after;

	before = sw_sample_median(scratch, values, change);
	after = sw_sample_median(scratch, values + change, count - change);
	return after / before;
}

/*
 * U of Pettitt's (2.3) by ranks: U_t = 2 * (ranks of the first t) - t (n + 1);
 * p of (2.7) is 2 exp(-6 K^2 / (n^3 + n^2)) for the largest |U_t|, K.
 */
int sw_drift_test(const double *values, size_t count, struct sw_drift *drift)
{
	double n = (double)count, sum = 0, largest = 0;
	double *ranks;

	*drift = (struct sw_drift){ .p = 1, .ratio = 1 };
	if (count < LEAST_VALUES)
		return 0;
	ranks = sw_sample_ranks(values, count);
	if (!ranks)
		return -1;
	for (size_t t = 1; t < count; t++) {
		double u;

		sum += ranks[t - 1];
		u = fabs(2 * sum - (double)t * (n + 1));
		if (u > largest) {
			largest = u;
			drift->change = t;
		}
	}
	drift->p = fmin(1, 2 * exp(-6 * largest * largest /
				   (n * n * n + n * n)));
	if (drift->change > 0)
		drift->ratio = ratio_at(values, count, drift->change, ranks);
	free(ranks);
	drift->is_drift = drift->p < least_p &&
		(drift->ratio >= least_ratio ||
		 drift->ratio <= 1 / least_ratio);
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
	while (rest.is_drift) {
		start += rest.change;
		if (sw_drift_test(values + start, count - start, &rest) < 0)
			return -1;
	}
	*from = start > 0 && count - start < least ? count : start;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Has a group of runs changed, or does it keep changing?  Rank tests, thus
 * without an assumption on the distribution.  For a single change at an unknown
 * time: A. N. Pettitt, "A non-parametric approach to the change-point problem",
 * Applied Statistics 28 (1979) 126-135.  For a trend: H. B. Mann,
 * "Nonparametric tests against trend", Econometrica 13 (1945) 245-259, with
 * Kendall's correction for ties ("Rank correlation methods", 1975).
 */
#ifndef SW_ADVICE_DRIFT_H
#define SW_ADVICE_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

struct sw_drift {
	bool is_drift;	/* significant, and large enough to matter */
	bool is_trend;	/* continuing; otherwise one change */
	size_t change;	/* index of the first value after it, or the middle */
	const char *test;	/* "Pettitt's test" */
	double p;	/* under chance alone; 1: too few values */
	double ratio;	/* median after to median before */
};

/*
 * Test values in order of time, all positive, none NAN.  Returns 0, or -1
 * (errno ENOMEM).
 */
int sw_drift_test(const double *values, size_t count, struct sw_drift *drift);

/*
 * Set *from to the index from which the values are steady: 0 without drift,
 * otherwise that after the last change.  It is count if they still drift: fewer
 * than least values follow the change, or there is a trend.  drift is that of
 * all values.  Returns 0, or -1 (errno ENOMEM).
 */
int sw_drift_steady(const double *values, size_t count, size_t least,
		    struct sw_drift *drift, size_t *from);

#endif

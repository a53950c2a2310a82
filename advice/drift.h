/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Has a group of runs changed, or does it go on changing?  By ranks, so with no
 * assumption on the distribution.  One change at an unknown time: A. N.
 * Pettitt, "A non-parametric approach to the change-point problem", Applied
 * Statistics 28 (1979) 126-135.  A trend: H. B. Mann, "Nonparametric tests
 * against trend", Econometrica 13 (1945) 245-259, with Kendall's correction
 * for ties ("Rank correlation methods", 1975).
 */
#ifndef SW_ADVICE_DRIFT_H
#define SW_ADVICE_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

struct sw_drift {
	bool is_drift;	/* probable, and large enough to matter */
	bool is_trend;	/* it goes on; else it was one change */
	size_t change;	/* index of the first value after it, or the middle */
	const char *test;	/* "Pettitt's test" */
	double p;	/* that chance alone does this; 1: too few values */
	double ratio;	/* median after to median before */
};

/*
 * values in the order of time, none NAN, positive.  0, or -1 (errno ENOMEM).
 */
int sw_drift_test(const double *values, size_t count, struct sw_drift *drift);

/*
 * Index from which on the values hold still: 0 where nothing drifts, else that
 * behind the last of the changes.  count: drifting still, as fewer than least
 * values lie behind it, or there is a trend.  drift is that of all values.  0, or -1 (errno ENOMEM).
 */
int sw_drift_steady(const double *values, size_t count, size_t least,
		    struct sw_drift *drift, size_t *from);

#endif

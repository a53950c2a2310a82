/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Has a group of runs changed?  Pettitt's test for one change at an unknown
 * time, by ranks: no assumption on the distribution, and a trend shows as well.
 *
 * A. N. Pettitt, "A non-parametric approach to the change-point problem",
 * Applied Statistics 28 (1979) 126-135.
 */
#ifndef SW_ADVICE_DRIFT_H
#define SW_ADVICE_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

struct sw_drift {
	bool is_drift;	/* probable, and large enough to matter */
	size_t change;	/* index of the first value after the change */
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
 * values lie behind it.  drift is that of all values.  0, or -1 (errno ENOMEM).
 */
int sw_drift_steady(const double *values, size_t count, size_t least,
		    struct sw_drift *drift, size_t *from);

#endif

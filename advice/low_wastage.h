/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line of least wastage through past runs (Witt, van Santen, Leser:
 * Learning low-wastage memory allocations for scientific workflows at IceCube,
 * HPCS 2019).  Wastage is the allocation above the need, and that of failed
 * attempts, each attempt with twice the memory of the one before.
 */
#ifndef SW_ADVICE_LOW_WASTAGE_H
#define SW_ADVICE_LOW_WASTAGE_H

#include "advice/line.h"

struct sw_low_wastage {
	const struct sw_point *points;
	size_t count;
	double floor_bytes;
	double time_to_failure;	/* share of a run's time */
};

/* Return what the points would have wasted with the line, in byte seconds. */
double sw_low_wastage_cost(const struct sw_low_wastage *runs,
			   const struct sw_line *line);
/*
 * Find the best line by a simplex search from lines at several quantiles; flat
 * if x hardly varies.  Returns 0, or -1 (errno ENOMEM).
 */
int sw_low_wastage_fit(const struct sw_low_wastage *runs,
		       struct sw_line *best);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line of least wastage through past runs (Witt, van Santen, Leser:
 * Learning low-wastage memory allocations for scientific workflows at
 * IceCube, HPCS 2019): what is allocated above the need, and what attempts
 * hold that fail, each attempt with twice as much as the one before.
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

/* What points would have wasted with the line, in byte seconds. */
double sw_low_wastage_cost(const struct sw_low_wastage *runs,
			   const struct sw_line *line);
/*
 * From lines at several quantiles to the best that a search by simplex finds;
 * flat where x hardly varies.  0, or -1 (errno ENOMEM).
 */
int sw_low_wastage_fit(const struct sw_low_wastage *runs,
		       struct sw_line *best);

#endif

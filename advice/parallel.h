/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compute how many CPUs a run could use at once, phase by phase, and how long
 * it would have taken with fewer: the sum over its phases of seconds * max(1,
 * busy / cores).  This assumes that each phase stays as parallel as it was and
 * shrinks without loss; more cores never make it faster.  It is the time bound
 * of R. P. Brent, "The parallel evaluation of general arithmetic expressions",
 * JACM 21 (1974) 201-206, by phases.
 */
#ifndef SW_ADVICE_PARALLEL_H
#define SW_ADVICE_PARALLEL_H

#include "advice/run.h"

struct sw_parallel {
	double busy[SW_BUSY_LEVELS];	/* CPUs, by phase */
	double seconds[SW_BUSY_LEVELS];
	double total_seconds;
};

/* Return false without a histogram, or if it makes no sense. */
bool sw_parallel_init(struct sw_parallel *parallel, const struct sw_run *run);

/* Return the predicted time with this many cores. */
double sw_parallel_seconds(const struct sw_parallel *parallel, double cores);

/*
 * Return the fewest whole cores, at least 1, with which the run takes at most
 * slowdown (0.05: 5 %) longer than with as many as it had.
 */
double sw_parallel_cores(const struct sw_parallel *parallel, double slowdown);

#endif

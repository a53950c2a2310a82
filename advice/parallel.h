/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many CPUs a run could use at once, phase by phase, and how long it would
 * have taken with fewer: the sum over its phases of seconds * max(1, busy /
 * cores).  Each phase is thus taken to be as parallel as it was, and to shrink
 * without loss; with more cores nothing is said to become quicker.  This is
 * the time bound of R. P. Brent, "The parallel evaluation of general
 * arithmetic expressions", JACM 21 (1974) 201-206, by phases.
 */
#ifndef SW_ADVICE_PARALLEL_H
#define SW_ADVICE_PARALLEL_H

#include "advice/run.h"

struct sw_parallel {
	double busy[SW_BUSY_LEVELS];	/* CPUs, in each phase */
	double seconds[SW_BUSY_LEVELS];
	double total_seconds;
};

/* false: no histogram, or one that makes no sense. */
bool sw_parallel_init(struct sw_parallel *parallel, const struct sw_run *run);

/* Predicted time with this many cores. */
double sw_parallel_seconds(const struct sw_parallel *parallel, double cores);

/*
 * The fewest whole cores with which it takes at most slowdown (0.05: 5 %)
 * longer than with as many as it had; never 0.
 */
double sw_parallel_cores(const struct sw_parallel *parallel, double slowdown);

#endif

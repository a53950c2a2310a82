/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What looks at the threads of a step say of all of its time. */
#include "common/limits_looks.h"

#include <math.h>

#include "common/missing.h"

/* One look may have come in between. */
enum { LOOKS_MIN = 2 };

/* A little more than a number is no other one: samples are not exact. */
static const double NOISE = 1.1;

/* What the workers used is nearly all that the step did. */
static const double WHOLE_RATIO = 0.8;

/*
 * One of them that has done more than that had helpers at most: these may run
 * together for moments, which show in no mean; more of it, where no look saw
 * more than one CPU wanted.
 */
static const double ALONE = 0.75, ALONE_AT_MOST = 0.8;

/* They used no more than that: one at a time. */
static const double ONE_CPU = 1.2;

void sw_crowd_add(struct sw_crowd *crowd, uint64_t threads, uint64_t cpus)
{
	if (sw_is_missing(cpus))
		return;
	crowd->looks++;
	if (sw_zero_if_missing(threads) <= cpus)
		return;
	crowd->crowded++;
	if (cpus > crowd->most)
		crowd->most = cpus;
}

bool sw_crowd_is_known(const struct sw_crowd *crowd)
{
	return crowd->looks >= LOOKS_MIN;
}

uint64_t sw_crowd_cpus(const struct sw_crowd *crowd)
{
	return crowd->crowded >= LOOKS_MIN && 2 * crowd->crowded > crowd->looks
		       ? crowd->most
		       : 0;
}

double sw_crowd_bound(uint64_t crowded_cpus, double cpus, double cores)
{
	double bound = (double)crowded_cpus;

	return bound > 0 && cores <= NOISE * bound ? fmin(bound, cpus) : cpus;
}

bool sw_workers_are_all(const struct sw_worker_look *look, double step_usec)
{
	return step_usec * WHOLE_RATIO <= (double)look->cpu_usec;
}

bool sw_workers_may_take_turns(double ran)
{
	const double two = 1.5;	/* a mean of looks with one and with more */

	return !(ran > 0 && ran < two);
}

bool sw_workers_take_turns(const struct sw_worker_look *look,
			   bool is_one_wanted)
{
	double alone = is_one_wanted ? ALONE_AT_MOST : ALONE;

	return look->count >= 2 &&
	       (double)look->busiest_usec <= alone * (double)look->cpu_usec &&
	       (double)look->cpu_usec <= ONE_CPU * (double)look->usec;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Extrapolate samples of a step's threads to all of its time. */
#include "common/limits_looks.h"

#include <math.h>

#include "common/missing.h"
#include "common/one_cpu.h"

/* Numbers here were chosen by hand and held against "make ward". */

/* A single sample may be a coincidence. */
enum { LOOKS_MIN = 2 };

/* Differences below this ratio are sampling noise. */
static const double NOISE = 1.1;

/* Minimum share of the step's CPU time used by the workers */
static const double WHOLE_RATIO = 0.8;

/*
 * A worker with a larger share of the CPU time has helpers at most, which may
 * run at the same time for moments that do not show in a mean; the larger limit
 * applies if no sample found more than one CPU wanted.
 */
static const double ALONE = 0.75, ALONE_AT_MOST = 0.8;

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
	return !(ran > 0 && ran < SW_TWO_CPUS_LOW);
}

bool sw_workers_take_turns(const struct sw_worker_look *look,
			   bool is_one_wanted)
{
	double alone = is_one_wanted ? ALONE_AT_MOST : ALONE;

	return look->count >= 2 &&
	       (double)look->busiest_usec <= alone * (double)look->cpu_usec &&
	       (double)look->cpu_usec <=
		       SW_ONE_CPU_HIGH * (double)look->usec;
}

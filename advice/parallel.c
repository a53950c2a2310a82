/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine how many CPUs a run could use at once. */
#include "advice/parallel.h"

#include <math.h>

/* The sum of two whole numbers up to this is exact. */
static const double countable = 0x1p52;

/* Return the maximum of CPUs busy in a phase of this level. */
static double upper_edge(const struct sw_run *run, size_t level, double lower)
{
	double upper = sw_busy_cores[level];

	/* If neither is known, upper stays: fmin() ignores NAN. */
	upper = fmin(upper, run->peak_cores);
	upper = fmin(upper, run->requested_cores);
	if (!isfinite(upper) || upper < lower)
		return lower;
	return upper;
}

/*
 * Interpolate within levels so that the sum matches the CPU time used.  At the
 * upper edge if that is not known, which requests too many.
 */
static double place_within(const struct sw_run *run, double least, double most)
{
	double place = (run->used_core_seconds - least) / (most - least);

	if (!(most > least) || isnan(place))
		return 1;
	return fmin(fmax(place, 0), 1);
}

bool sw_parallel_init(struct sw_parallel *parallel, const struct sw_run *run)
{
	double least = 0, most = 0, lower = 0, place;

	*parallel = (struct sw_parallel){ 0 };
	if (!run->has_busy)
		return false;
	for (size_t i = 0; i < SW_BUSY_LEVELS; i++) {
		double seconds = run->busy_seconds[i];

		if (!(seconds >= 0) || !isfinite(seconds))
			return false;
		parallel->seconds[i] = seconds;
		parallel->total_seconds += seconds;
		least += seconds * lower;
		most += seconds * upper_edge(run, i, lower);
		lower = sw_busy_cores[i];
	}
	place = place_within(run, least, most);
	lower = 0;
	for (size_t i = 0; i < SW_BUSY_LEVELS; i++) {
		double upper = upper_edge(run, i, lower);

		parallel->busy[i] = lower + place * (upper - lower);
		lower = sw_busy_cores[i];
	}
	return parallel->total_seconds > 0;
}

double sw_parallel_seconds(const struct sw_parallel *parallel, double cores)
{
	double sum = 0;

	for (size_t i = 0; i < SW_BUSY_LEVELS; i++)
		if (parallel->seconds[i] > 0)
			sum += parallel->seconds[i] *
				fmax(1, parallel->busy[i] / cores);
	return sum;
}

double sw_parallel_cores(const struct sw_parallel *parallel, double slowdown)
{
	double longest = parallel->total_seconds * (1 + slowdown);
	double low = 1, high = 1;

	for (size_t i = 0; i < SW_BUSY_LEVELS; i++)
		if (parallel->seconds[i] > 0)
			high = fmax(high, ceil(parallel->busy[i]));
	high = fmin(high, countable);
	while (low < high) {
		double middle = floor((low + high) / 2);

		if (sw_parallel_seconds(parallel, middle) <= longest)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs that a step wanted, as opposed to those that it got. */
#ifndef SW_ANALYZER_VIEW_DEMAND_H
#define SW_ANALYZER_VIEW_DEMAND_H

#include "analyzer/view/view.h"

/*
 * Fill cpu.demand_peak_cores and cpu.is_constrained from the curves and other
 * data on waits.  Return 0, or -1 if out of memory.
 */
int sw_view_fill_demand(struct sw_view *view);

/* Likewise for a sum: known if it is for each part that used a CPU. */
int sw_view_sum_demand(struct sw_view *total, const struct sw_view *const *view,
		       size_t count);

/*
 * From a larger share of its CPUs on, a step can use what was requested: one
 * CPU of four is left for a burst.  Chosen by hand.
 */
#define SW_USEFUL_RATIO 0.75

/*
 * Return the whole CPUs that a step with this peak of demand can use: a burst
 * uses a little less than it could, and no request is below one.
 */
double sw_view_useful_cpus(double peak_cores);

/*
 * Return true if its use shows how many CPUs it needs: it was not held back, or
 * wanted no more whole CPUs than it had.
 */
bool sw_view_tells_cpus(const struct sw_view_cpu *cpu);

#endif

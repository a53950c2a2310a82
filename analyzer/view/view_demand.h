/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many CPUs a step wanted, which is not how many it got. */
#ifndef SW_ANALYZER_VIEW_DEMAND_H
#define SW_ANALYZER_VIEW_DEMAND_H

#include "analyzer/view/view.h"

/*
 * Fill cpu.demand_peak_cores and cpu.is_constrained, from the curves and from
 * what else is known of waits.  0, or -1 without memory.
 */
int sw_view_fill_demand(struct sw_view *view);

/* The same of a sum: known where it is of each part that used a CPU. */
int sw_view_sum_demand(struct sw_view *total, const struct sw_view *const *view,
		       size_t count);

/*
 * How many CPUs a step can make use of that had or wanted so many at its peak:
 * a burst uses a little less than it could, and no request is below one.
 */
double sw_view_useful_cpus(double peak_cores);

/*
 * Whether what it used tells how many CPUs it needs: it was not held back, or
 * wanted no more whole CPUs than it had.
 */
bool sw_view_tells_cpus(const struct sw_view_cpu *cpu);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many CPUs a step wanted, which is not how many it got. */
#ifndef SW_ANALYZER_VIEW_DEMAND_H
#define SW_ANALYZER_VIEW_DEMAND_H

#include "analyzer/view.h"

/*
 * Fill cpu.demand_peak_cores and cpu.is_held_back, from the curves and from
 * what else is known of waits.  0, or -1 without memory.
 */
int sw_view_fill_demand(struct sw_view *view);

/* The same of a sum: known where it is of each part that used a CPU. */
int sw_view_sum_demand(struct sw_view *total, const struct sw_view *const *view,
		       size_t count);

#endif

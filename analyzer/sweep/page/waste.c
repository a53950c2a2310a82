/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waste of a row, and its position in the order. */
#include <math.h>

#include "analyzer/settings/settings.h"
#include "analyzer/sweep/night/kind_cost.h"
#include "analyzer/sweep/page/page.h"
#include "common/units.h"

#define USEC_PER_HOUR		 (3600.0 * (double)SW_USEC_PER_SEC)
#define MIB_SECONDS_PER_GIB_HOUR (3600.0 * 1024)

static double wasted(const uint64_t *n, enum sw_tally_number unused,
		     enum sw_tally_number lost)
{
	return (double)n[unused] + (double)n[lost];
}

static double share_of(double part, uint64_t whole)
{
	return whole ? part / (double)whole : 0;
}

/* By catalogue, the cost of the job itself; otherwise prices of resources. */
static double cost_of(const struct sw_sweep_row *row,
		      const struct sw_sweep_page *page)
{
	const struct sw_policy *policy = sw_settings_policy(page->settings);
	const uint64_t *n = row->tally->n;
	double cost = NAN;

	if (page->has_costs)
		return n[SW_TALLY_PRICED_CORE_USEC]
			       ? (double)n[SW_TALLY_WASTED_MICROS] / SW_MICROS
			       : NAN;
	if (!isnan(policy->core_hour_price))
		cost = row->core_hours * policy->core_hour_price;
	if (!isnan(policy->gib_hour_price))
		cost = (isnan(cost) ? 0 : cost) +
		       row->gib_hours * policy->gib_hour_price;
	return cost;
}

void sw_sweep_put_waste(struct sw_sweep_row *row,
			const struct sw_sweep_page *page)
{
	const uint64_t *n = row->tally->n;
	double cores = wasted(n, SW_TALLY_IDLE_USEC, SW_TALLY_LOST_CORE_USEC);
	double memory = wasted(n, SW_TALLY_UNUSED_MIB_SECONDS,
			       SW_TALLY_LOST_MIB_SECONDS);

	row->core_hours = cores / USEC_PER_HOUR;
	row->gib_hours = memory / MIB_SECONDS_PER_GIB_HOUR;
	row->gpu_hours = (double)n[SW_TALLY_GPU_IDLE_SECONDS] / 3600;
	row->share = share_of(cores, page->total[SW_TALLY_CORE_USEC]) +
		     share_of(memory, page->total[SW_TALLY_MIB_SECONDS]) +
		     share_of((double)n[SW_TALLY_GPU_IDLE_SECONDS],
			      page->total[SW_TALLY_GPU_SECONDS]);
	row->cost = cost_of(row, page);
	row->rank = !page->is_by_cost  ? row->share
		    : isnan(row->cost) ? 0
				       : row->cost;
}

int sw_sweep_compare_numbers(double a, double b)
{
	return (a < b) - (a > b);
}

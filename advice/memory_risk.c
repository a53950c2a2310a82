/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stated probability of a choice. */
#include "advice/memory_risk.h"

#include <math.h>

/*
 * Fitted on "wfinstances" and "cws": after one run the next one with a known
 * input exceeds it at a fifth of the general rate, after sixteen at most at
 * that rate; and with twice the largest input seen the need grows by more than
 * predicted, by the root of that, one time in four.
 */
static const double runs_of_half_weight = 4;
static const double follow_power = 0.4, grown_power = 0.5;

double sw_memory_beyond_input(const struct sw_memory_view *view,
			      double input_bytes)
{
	if (!(input_bytes > view->largest_input) ||
	    !(view->largest_input > 0) ||
	    2 * view->line.weight < (double)view->count)
		return 1;
	return input_bytes / view->largest_input;
}

static double risk_at(const struct sw_memory_chance *chance,
		      const struct sw_memory_costs *costs, double bytes,
		      size_t *fits)
{
	double margin = chance->is_added ? bytes - chance->foretold :
					   bytes / chance->foretold;

	return sw_memory_margin_risk(chance->errors, chance->count,
				     chance->is_added, costs, margin, fits);
}

double sw_memory_risk(const struct sw_memory_chance *chance, double bytes,
		      size_t *fits)
{
	double n = (double)chance->view->count, follows, factor, grown, alike;
	struct sw_memory_costs costs = chance->costs;
	size_t ignored;

	factor = sw_memory_beyond_input(chance->view, chance->input_bytes);
	if (!(chance->input_bytes >= 0) ||
	    2 * chance->view->line.weight < n)
		return risk_at(chance, &costs, bytes, fits);
	if (factor > 1) {
		grown = pow(factor, grown_power);
		follows = 1 - pow(factor, -follow_power);
		alike = risk_at(chance, &costs, bytes, fits);
		return follows * risk_at(chance, &costs, bytes / grown,
					 &ignored) +
		       (1 - follows) * alike;
	}
	costs.tail_weight *= n / (n + runs_of_half_weight);
	return risk_at(chance, &costs, bytes, fits);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stated probability of a choice: that the next run needs more.
 *
 * The next of n exchangeable runs exceeds all with a probability of 1 / (n +
 * 1).  It depends on the input which runs do: those with an input seen before
 * hardly do, those with a larger one do often.
 */
#ifndef SW_ADVICE_MEMORY_RISK_H
#define SW_ADVICE_MEMORY_RISK_H

#include "advice/memory_expert.h"
#include "advice/memory_margin.h"

/* Basis of a choice. */
struct sw_memory_chance {
	const struct sw_memory_view *view;
	const struct sw_memory_expert *expert;
	const struct sw_memory_error *errors;	/* of the expert, sorted */
	size_t count;
	bool is_added;
	struct sw_memory_costs costs;
	double foretold;
	double input_bytes;			/* NAN: not known */
};

/*
 * Return the probability that more than bytes are needed; *fits is the number
 * of errors that are not above bytes.
 */
double sw_memory_risk(const struct sw_memory_chance *chance, double bytes,
		      size_t *fits);

/*
 * Return the ratio of the input to the largest seen; 1 if it is not larger, or
 * if fewer than half of the inputs are known.
 */
double sw_memory_beyond_input(const struct sw_memory_view *view,
			      double input_bytes);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probability that is stated of a choice: that the next run needs more.
 *
 * Of n exchangeable runs the next one exceeds all with a probability of
 * 1 / (n + 1); which of them do depends on the input: those with an input as
 * was seen before hardly do, those with a larger one do often.
 */
#ifndef SW_ADVICE_MEMORY_RISK_H
#define SW_ADVICE_MEMORY_RISK_H

#include "advice/memory_expert.h"
#include "advice/memory_margin.h"

/* What a choice rests on. */
struct sw_memory_chance {
	const struct sw_memory_view *view;
	const struct sw_memory_expert *expert;
	const struct sw_memory_error *errors;	/* of the expert, in order */
	size_t count;
	bool is_added;
	struct sw_memory_costs costs;
	double foretold;
	double input_bytes;			/* NAN: not known */
};

/* That more than bytes are needed; fits: how many of the errors are not. */
double sw_memory_risk(const struct sw_memory_chance *chance, double bytes,
		      size_t *fits);

/*
 * The input to the largest of those seen; at most 1, or where inputs are not
 * known of half of the runs: it is nothing new.
 */
double sw_memory_beyond_input(const struct sw_memory_view *view,
			      double input_bytes);

#endif

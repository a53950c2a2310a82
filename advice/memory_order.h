/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The errors of one expert over the newest runs, kept sorted so that a choice
 * need not sort them, and the largest error ever: what happened once in many
 * runs may happen again, and users who pay for failures may want to stay above
 * it.
 */
#ifndef SW_ADVICE_MEMORY_ORDER_H
#define SW_ADVICE_MEMORY_ORDER_H

#include "advice/memory_margin.h"
#include "advice/memory_past.h"

struct sw_memory_place {
	double key;
	size_t slot;		/* index in the past */
};

struct sw_memory_order {
	size_t expert;
	bool is_added;		/* key: bytes above the prediction */
	struct sw_memory_place *places;
	size_t count;
	struct sw_memory_error largest;	/* of removed ones; foretold 0: none */
};

void sw_memory_order_fini(struct sw_memory_order *order);

/*
 * Add a run of the past, unless the expert had no prediction.  Returns 0, or -1
 * (errno ENOMEM).
 */
int sw_memory_order_add(struct sw_memory_order *order,
			const struct sw_memory_past *past, size_t index);
void sw_memory_order_remove(struct sw_memory_order *order,
			    const struct sw_memory_past *past, size_t index);

/*
 * Fill errors, with room for SW_MEMORY_ERRORS_MAX; returns their number.  The
 * last may be older than the rest.
 */
size_t sw_memory_order_errors(const struct sw_memory_order *order,
			      const struct sw_memory_past *past,
			      struct sw_memory_error *errors);

#endif

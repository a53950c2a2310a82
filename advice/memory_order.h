/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The errors of one expert over the newest runs, kept in order, so that a
 * choice does not have to sort them, and the largest there ever was: what
 * happened once in many runs may happen again, and who pays for a failure may
 * want to stay above it.
 */
#ifndef SW_ADVICE_MEMORY_ORDER_H
#define SW_ADVICE_MEMORY_ORDER_H

#include "advice/memory_margin.h"
#include "advice/memory_past.h"

struct sw_memory_place {
	double key;
	size_t slot;		/* in the past */
};

struct sw_memory_order {
	size_t expert;
	bool is_added;		/* by bytes above what was foretold */
	struct sw_memory_place *places;
	size_t count;
	struct sw_memory_error largest;	/* of those removed; foretold 0: none */
};

void sw_memory_order_fini(struct sw_memory_order *order);

/*
 * A run of the past; of those without an opinion nothing is kept.  0, or -1
 * (errno ENOMEM).
 */
int sw_memory_order_add(struct sw_memory_order *order,
			const struct sw_memory_past *past, size_t index);
void sw_memory_order_remove(struct sw_memory_order *order,
			    const struct sw_memory_past *past, size_t index);

/*
 * errors has room for SW_MEMORY_ERRORS_MAX.  How many there are, the last of
 * which may be older than the rest.
 */
size_t sw_memory_order_errors(const struct sw_memory_order *order,
			      const struct sw_memory_past *past,
			      struct sw_memory_error *errors);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorted errors of an expert. */
#include "advice/memory_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"
#include "common/search.h"

void sw_memory_order_fini(struct sw_memory_order *order)
{
	free(order->places);
	order->places = NULL;
	order->count = 0;
}

static double key_of(const struct sw_memory_order *order,
		     const struct sw_memory_past *past, size_t slot)
{
	const struct sw_memory_run *run = &past->runs[slot];
	double foretold = run->foretold[order->expert];

	return order->is_added ? run->need_bytes - foretold :
		run->need_bytes / foretold;
}

static bool is_below(const void *place, const void *key)
{
	return ((const struct sw_memory_place *)place)->key <
	       *(const double *)key;
}

/* Return the position of the first key that is not below. */
static size_t find(const struct sw_memory_order *order, double key)
{
	return sw_lower_bound(order->places, order->count,
			      sizeof(*order->places), is_below, &key);
}

static bool has_opinion(const struct sw_memory_order *order,
			const struct sw_memory_past *past, size_t index)
{
	return sw_memory_past_run(past, index)->foretold[order->expert] > 0;
}

int sw_memory_order_add(struct sw_memory_order *order,
			const struct sw_memory_past *past, size_t index)
{
	size_t slot = index % past->room, place;
	double key;

	if (!has_opinion(order, past, index))
		return 0;
	if (sw_grow(&order->places, order->count, sizeof(*order->places)) < 0)
		return -1;
	key = key_of(order, past, slot);
	place = find(order, key);
	memmove(&order->places[place + 1], &order->places[place],
		(order->count++ - place) * sizeof(*order->places));
	order->places[place] = (struct sw_memory_place){ key, slot };
	return 0;
}

static struct sw_memory_error error_of(const struct sw_memory_order *order,
				       const struct sw_memory_past *past,
				       const struct sw_memory_place *place)
{
	const struct sw_memory_run *run = &past->runs[place->slot];

	return (struct sw_memory_error){
		.key = place->key,
		.foretold = run->foretold[order->expert],
		.need = run->need_bytes,
		.seconds = run->seconds,
	};
}

void sw_memory_order_remove(struct sw_memory_order *order,
			    const struct sw_memory_past *past, size_t index)
{
	size_t slot = index % past->room, place;

	if (!has_opinion(order, past, index))
		return;
	/* Among equals the newest is first, and the oldest is removed. */
	place = find(order, nextafter(key_of(order, past, slot), INFINITY));
	do {
		if (place-- == 0)
			return;
	} while (order->places[place].slot != slot);
	if (!(order->largest.foretold > 0) ||
	    order->places[place].key > order->largest.key)
		order->largest = error_of(order, past, &order->places[place]);
	memmove(&order->places[place], &order->places[place + 1],
		(--order->count - place) * sizeof(*order->places));
}

size_t sw_memory_order_errors(const struct sw_memory_order *order,
			      const struct sw_memory_past *past,
			      struct sw_memory_error *errors)
{
	size_t i;

	for (i = 0; i < order->count; i++)
		errors[i] = error_of(order, past, &order->places[i]);
	if (order->largest.foretold > 0 && order->count > 0 &&
	    order->largest.key > errors[order->count - 1].key)
		errors[i++] = order->largest;
	return i;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors in order. */
#include "advice/memory_order.h"

#include <stdlib.h>
#include <string.h>

void sw_memory_order_fini(struct sw_memory_order *order)
{
	free(order->slots);
	order->slots = NULL;
	order->count = order->room = 0;
}

static double key_of(const struct sw_memory_order *order,
		     const struct sw_memory_past *past, size_t slot)
{
	const struct sw_memory_run *run = &past->runs[slot];
	double foretold = run->foretold[order->expert];

	return order->is_added ? run->need_bytes - foretold :
		run->need_bytes / foretold;
}

/* Where the first key stands that is not below. */
static size_t find(const struct sw_memory_order *order,
		   const struct sw_memory_past *past, double key)
{
	size_t low = 0, high = order->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (key_of(order, past, order->slots[middle]) < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
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
	size_t room = order->room ? 2 * order->room : 8;
	uint16_t *slots;

	if (!has_opinion(order, past, index))
		return 0;
	if (order->count == order->room) {
		slots = realloc(order->slots, room * sizeof(*slots));
		if (!slots)
			return -1;
		order->slots = slots;
		order->room = room;
	}
	place = find(order, past, key_of(order, past, slot));
	memmove(&order->slots[place + 1], &order->slots[place],
		(order->count++ - place) * sizeof(*order->slots));
	order->slots[place] = (uint16_t)slot;
	return 0;
}

void sw_memory_order_remove(struct sw_memory_order *order,
			    const struct sw_memory_past *past, size_t index)
{
	size_t slot = index % past->room, place;

	if (!has_opinion(order, past, index))
		return;
	place = find(order, past, key_of(order, past, slot));
	while (place < order->count && order->slots[place] != slot)
		place++;
	if (place == order->count)
		return;
	memmove(&order->slots[place], &order->slots[place + 1],
		(--order->count - place) * sizeof(*order->slots));
}

size_t sw_memory_order_errors(const struct sw_memory_order *order,
			      const struct sw_memory_past *past,
			      struct sw_memory_error *errors)
{
	size_t i;

	for (i = 0; i < order->count; i++) {
		const struct sw_memory_run *run = &past->runs[order->slots[i]];

		errors[i] = (struct sw_memory_error){
			.key = key_of(order, past, order->slots[i]),
			.foretold = run->foretold[order->expert],
			.need = run->need_bytes,
			.seconds = run->seconds,
		};
	}
	return order->count;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the methods keep of each group. */
#include "advice/groups.h"

#include <stdlib.h>
#include <string.h>

struct sw_groups *sw_groups_new(size_t item_size)
{
	struct sw_groups *groups = calloc(1, sizeof(*groups));

	if (groups)
		groups->item_size = item_size;
	return groups;
}

void sw_groups_free(struct sw_groups *groups, void (*fini)(void *item))
{
	size_t i;

	for (i = 0; fini && i < groups->count; i++)
		fini(sw_groups_peek(groups, i));
	free(groups->items);
	free(groups);
}

void *sw_groups_get(struct sw_groups *groups, size_t index)
{
	size_t room = groups->count;
	char *items;

	if (index >= groups->count) {
		while (room <= index)
			room = room ? 2 * room : 16;
		items = realloc(groups->items, room * groups->item_size);
		if (!items)
			return NULL;
		memset(items + groups->count * groups->item_size, 0,
		       (room - groups->count) * groups->item_size);
		groups->items = items;
		groups->count = room;
	}
	return groups->items + index * groups->item_size;
}

void *sw_groups_peek(const struct sw_groups *groups, size_t index)
{
	if (index >= groups->count)
		return NULL;
	return groups->items + index * groups->item_size;
}

int sw_numbers_add(struct sw_numbers *numbers, double number)
{
	size_t room = numbers->room ? 2 * numbers->room : 16;
	double *items;

	if (numbers->count == numbers->room) {
		items = realloc(numbers->items, room * sizeof(*items));
		if (!items)
			return -1;
		numbers->items = items;
		numbers->room = room;
	}
	numbers->items[numbers->count++] = number;
	return 0;
}

long sw_numbers_insert(struct sw_numbers *numbers, double number)
{
	size_t low = 0, high = numbers->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (numbers->items[middle] <= number)
			low = middle + 1;
		else
			high = middle;
	}
	if (sw_numbers_add(numbers, number) < 0)
		return -1;
	memmove(&numbers->items[low + 1], &numbers->items[low],
		(numbers->count - 1 - low) * sizeof(*numbers->items));
	numbers->items[low] = number;
	return (long)low;
}

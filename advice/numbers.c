/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Vectors of numbers that grow. */
#include "advice/numbers.h"

#include <string.h>

#include "common/grow.h"

int sw_numbers_add(struct sw_numbers *numbers, double number)
{
	if (sw_grow(&numbers->items, numbers->count,
		    sizeof(*numbers->items)) < 0)
		return -1;
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

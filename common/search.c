/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Search in sorted arrays. */
#include "common/search.h"

size_t sw_lower_bound(const void *items, size_t count, size_t item_bytes,
		      bool (*is_below)(const void *item, const void *key),
		      const void *key)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_below((const char *)items + middle * item_bytes, key))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Search in sorted arrays. */
#ifndef SW_COMMON_SEARCH_H
#define SW_COMMON_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* Return the index of the first of count items that is not below key. */
size_t sw_lower_bound(const void *items, size_t count, size_t item_bytes,
		      bool (*is_below)(const void *item, const void *key),
		      const void *key);

#endif

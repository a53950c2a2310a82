/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches in arrays that are in order. */
#ifndef SW_COMMON_SEARCH_H
#define SW_COMMON_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* Where the first of count items of so many bytes stands that is not below. */
size_t sw_lower_bound(const void *items, size_t count, size_t item_bytes,
		      bool (*is_below)(const void *item, const void *key),
		      const void *key);

#endif

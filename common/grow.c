/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow by one item at a time: full at each power of two. */
#include "common/grow.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 8 };

int sw_grow(void *items, size_t count, size_t item_bytes)
{
	void *grown;

	if (count && (count < ROOM_FIRST || count & (count - 1)))
		return 0;
	memcpy(&grown, items, sizeof(grown));
	grown = reallocarray(grown, count ? 2 * count : ROOM_FIRST, item_bytes);
	if (!grown)
		return -1;
	memcpy(items, &grown, sizeof(grown));
	return 0;
}

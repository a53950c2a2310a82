/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Set of rows that an import has written: a table with open addressing. */
#include "analyzer/import/import_seen.h"

#include <stdlib.h>

enum { SLOTS_FIRST = 1024 };

void sw_import_seen_fini(struct sw_import_seen *seen)
{
	free(seen->slots);
	*seen = (struct sw_import_seen){ 0 };
}

static int64_t *find(const struct sw_import_seen *seen, int64_t row)
{
	/* Row numbers are consecutive: multiply by the golden ratio to scatter
	 * them. */
	uint64_t hash = (uint64_t)row * 0x9e3779b97f4a7c15u;
	size_t mask = seen->slot_count - 1;
	size_t slot = (size_t)(hash >> 32) & mask;

	while (seen->slots[slot] && seen->slots[slot] != row)
		slot = (slot + 1) & mask;
	return &seen->slots[slot];
}

/* Keep at least half of the slots free, so that probing is short. */
static int make_room(struct sw_import_seen *seen)
{
	struct sw_import_seen grown = {
		.slot_count = seen->slot_count ? 2 * seen->slot_count :
						 SLOTS_FIRST,
		.count = seen->count,
	};
	size_t i;

	if (2 * (seen->count + 1) <= seen->slot_count)
		return 0;
	grown.slots = calloc(grown.slot_count, sizeof(*grown.slots));
	if (!grown.slots)
		return -1;
	for (i = 0; i < seen->slot_count; i++) {
		if (seen->slots[i])
			*find(&grown, seen->slots[i]) = seen->slots[i];
	}
	free(seen->slots);
	*seen = grown;
	return 0;
}

int sw_import_seen_add(struct sw_import_seen *seen, int64_t row)
{
	int64_t *slot;

	if (make_room(seen) < 0)
		return -1;
	slot = find(seen, row);
	if (*slot)
		return 1;
	*slot = row;
	seen->count++;
	return 0;
}

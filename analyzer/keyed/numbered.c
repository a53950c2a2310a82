/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyzer/keyed/numbered.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM_FIRST = 256 };

struct sw_numbered_slot {
	uint64_t key;	/* 0: free */
	double value;
};

static struct sw_numbered_slot *find(const struct sw_numbered *table,
				     uint64_t key)
{
	/* Keys may be consecutive: multiply by the golden ratio to scatter
	 * them. */
	uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
	size_t mask = table->room - 1, slot = (size_t)(hash >> 32) & mask;

	while (table->slots[slot].key && table->slots[slot].key != key)
		slot = (slot + 1) & mask;
	return &table->slots[slot];
}

/* Keep at least half of the slots free, so that probing is short. */
static int make_room(struct sw_numbered *table)
{
	struct sw_numbered grown = {
		.room = table->room ? 2 * table->room : ROOM_FIRST,
		.count = table->count,
	};
	size_t i;

	if (2 * (table->count + 1) <= table->room)
		return 0;
	grown.slots = calloc(grown.room, sizeof(*grown.slots));
	if (!grown.slots)
		return -1;
	for (i = 0; i < table->room; i++) {
		if (table->slots[i].key)
			*find(&grown, table->slots[i].key) = table->slots[i];
	}
	free(table->slots);
	*table = grown;
	return 0;
}

double *sw_numbered_need(struct sw_numbered *table, uint64_t key,
			 bool *is_new)
{
	struct sw_numbered_slot *slot;

	key += !key;
	if (make_room(table) < 0)
		return NULL;
	slot = find(table, key);
	*is_new = !slot->key;
	if (*is_new) {
		*slot = (struct sw_numbered_slot){ key, NAN };
		table->count++;
	}
	return &slot->value;
}

double sw_numbered_get(const struct sw_numbered *table, uint64_t key)
{
	const struct sw_numbered_slot *slot;

	if (!table->room)
		return NAN;
	slot = find(table, key + !key);
	return slot->key ? slot->value : NAN;
}

void sw_numbered_fini(struct sw_numbered *table)
{
	free(table->slots);
	*table = (struct sw_numbered){ 0 };
}

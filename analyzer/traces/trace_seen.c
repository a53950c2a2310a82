/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyzer/traces/trace_seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/keyed.h"

enum { SLOTS_FIRST = 256 };

#define CACHED ((uint64_t)1 << 63)

bool sw_trace_is_cached(const struct sw_trace_row *row)
{
	return !strcmp(row->status, "CACHED");
}

static uint64_t add_number(uint64_t value, double number)
{
	/* NANs have different bit patterns. */
	if (isnan(number))
		number = -1;
	return sw_fnv(value, &number, sizeof(number));
}

/*
 * A task is identified by its work folder; otherwise by its id with its times
 * and numbers, since a process id may be reused.
 */
static uint64_t hash(const struct sw_trace_row *row)
{
	uint64_t value = SW_FNV_FIRST;

	value = sw_fnv(value, row->workflow, strlen(row->workflow) + 1);
	value = sw_fnv(value, row->name, strlen(row->name) + 1);
	if (!sw_trace_is_nothing(row->hash)) {
		value = sw_fnv(value, row->hash, strlen(row->hash));
	} else {
		value = sw_fnv(value, row->id, strlen(row->id));
		value = add_number(value, row->submit_seconds);
		value = add_number(value, row->start_seconds);
		value = add_number(value, row->elapsed_seconds);
		value = add_number(value, row->need_bytes);
		value = add_number(value, row->rss_bytes);
	}
	value &= ~CACHED;
	return value ? value : 1;
}

static uint64_t *find(const struct sw_trace_seen *seen, uint64_t value)
{
	size_t mask = seen->slot_count - 1, slot = (size_t)value & mask;

	while (seen->slots[slot] && (seen->slots[slot] & ~CACHED) != value)
		slot = (slot + 1) & mask;
	return &seen->slots[slot];
}

/* Keep at least half of the slots free, so that probing is short. */
static int make_room(struct sw_trace_seen *seen)
{
	struct sw_trace_seen grown = {
		.slot_count = seen->slot_count ? 2 * seen->slot_count
					       : SLOTS_FIRST,
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
			*find(&grown, seen->slots[i] & ~CACHED) =
				seen->slots[i];
	}
	free(seen->slots);
	*seen = grown;
	return 0;
}

int sw_trace_seen_add(struct sw_trace_seen *seen,
		      const struct sw_trace_row *row, bool *is_again)
{
	uint64_t cached = sw_trace_is_cached(row) ? CACHED : 0, *slot;

	if (make_room(seen) < 0)
		return -1;
	slot = find(seen, hash(row));
	*is_again = *slot && ((*slot & CACHED) || cached);
	if (!*slot) {
		*slot = hash(row) | cached;
		seen->count++;
	}
	return 0;
}

void sw_trace_seen_fini(struct sw_trace_seen *seen)
{
	free(seen->slots);
	*seen = (struct sw_trace_seen){ 0 };
}

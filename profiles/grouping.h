/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group rows by key: keys in the order of their first row, the rows of a key in
 * the given order.  Writer and reader derive the same order.
 */
#ifndef SW_PROFILES_GROUPING_H
#define SW_PROFILES_GROUPING_H

#include <stddef.h>
#include <stdint.h>

#include "profiles/layout.h"

enum {
	SW_GROUPING_SLOTS_LOG = 13,
	SW_GROUPING_SLOTS = 1 << SW_GROUPING_SLOTS_LOG, /* twice the rows */
};

struct sw_group {
	uint64_t key;
	uint32_t count; /* rows */
	uint32_t at;	/* index of its next row */
};

struct sw_grouping {
	size_t group_count;
	struct sw_group groups[SW_FRAME_ROWS_MAX];
	uint16_t group_of_row[SW_FRAME_ROWS_MAX];
	uint16_t slots[SW_GROUPING_SLOTS]; /* group plus 1, by hash */
};

/*
 * Group count rows (SW_FRAME_ROWS_MAX at most) by their keys; order[i] becomes
 * the number of the row at position i.
 */
void sw_grouping_make(struct sw_grouping *grouping, const uint64_t *keys,
		      size_t count, uint16_t *order);

/* Cut count rows into runs, the last one shorter; returns their number. */
size_t sw_grouping_cut(uint16_t *runs, size_t count);

/* Cut each group into its own runs; returns their number. */
size_t sw_grouping_cut_all(const struct sw_grouping *grouping, uint16_t *runs);

#endif

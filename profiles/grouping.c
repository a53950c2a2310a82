/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Group rows by key; accepts any keys and never fails. */
#include "profiles/grouping.h"

/* Return the group of a key, adding it if it is new. */
static uint16_t find_group(struct sw_grouping *grouping, uint64_t key)
{
	size_t slot = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >>
			       (64 - SW_GROUPING_SLOTS_LOG));

	while (grouping->slots[slot]) {
		uint16_t group = (uint16_t)(grouping->slots[slot] - 1);

		if (grouping->groups[group].key == key)
			return group;
		slot = (slot + 1) % SW_GROUPING_SLOTS;
	}
	grouping->groups[grouping->group_count] =
		(struct sw_group){ .key = key };
	grouping->slots[slot] = (uint16_t)++grouping->group_count;
	return (uint16_t)(grouping->group_count - 1);
}

void sw_grouping_make(struct sw_grouping *grouping, const uint64_t *keys,
		      size_t count, uint16_t *order)
{
	uint32_t at = 0;

	memset(grouping->slots, 0, sizeof(grouping->slots));
	grouping->group_count = 0;
	for (size_t i = 0; i < count; i++) {
		grouping->group_of_row[i] = find_group(grouping, keys[i]);
		grouping->groups[grouping->group_of_row[i]].count++;
	}
	for (size_t i = 0; i < grouping->group_count; i++) {
		grouping->groups[i].at = at;
		at += grouping->groups[i].count;
	}
	for (size_t i = 0; i < count; i++)
		order[grouping->groups[grouping->group_of_row[i]].at++] =
			(uint16_t)i;
}

size_t sw_grouping_cut(uint16_t *runs, size_t count)
{
	size_t run_count = 0;

	for (; count > 0; run_count++) {
		size_t rows = count < SW_RUN_ROWS_MAX ? count : SW_RUN_ROWS_MAX;

		runs[run_count] = (uint16_t)rows;
		count -= rows;
	}
	return run_count;
}

size_t sw_grouping_cut_all(const struct sw_grouping *grouping, uint16_t *runs)
{
	size_t run_count = 0;

	for (size_t i = 0; i < grouping->group_count; i++)
		run_count += sw_grouping_cut(runs + run_count,
					     grouping->groups[i].count);
	return run_count;
}

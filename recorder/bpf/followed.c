/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Table of the processes that BPF reports on, by pid and without gaps. */
#include "recorder/bpf/followed.h"

static size_t slot_of(const struct sw_followed_table *table, pid_t pid)
{
	size_t slot = (size_t)pid * 2654435761u % SW_FOLLOWED_SLOTS;

	while (table->slot[slot] &&
	       table->entry[table->slot[slot] - 1].pid != pid)
		slot = (slot + 1) % SW_FOLLOWED_SLOTS;
	return slot;
}

struct sw_followed *sw_followed_find(struct sw_followed_table *table,
				     pid_t pid)
{
	uint16_t index = table->slot[slot_of(table, pid)];

	return index ? &table->entry[index - 1] : NULL;
}

struct sw_followed *sw_followed_add(struct sw_followed_table *table,
				    pid_t pid)
{
	struct sw_followed *followed;

	if (table->count == SW_FOLLOWED_MAX)
		return NULL;
	followed = &table->entry[table->count];
	*followed = (struct sw_followed){ .pid = pid };
	table->slot[slot_of(table, pid)] = (uint16_t)++table->count;
	return followed;
}

/* Open addressing: reinsert the entries that follow the hole. */
static void clear_slot(struct sw_followed_table *table, size_t hole)
{
	size_t slot = hole;
	uint16_t moved;

	table->slot[hole] = 0;
	for (;;) {
		slot = (slot + 1) % SW_FOLLOWED_SLOTS;
		moved = table->slot[slot];
		if (!moved)
			return;
		table->slot[slot] = 0;
		table->slot[slot_of(table, table->entry[moved - 1].pid)] =
			moved;
	}
}

void sw_followed_remove(struct sw_followed_table *table,
			struct sw_followed *followed)
{
	struct sw_followed *last = &table->entry[table->count - 1];

	clear_slot(table, slot_of(table, followed->pid));
	if (followed != last) {
		table->slot[slot_of(table, last->pid)] =
			(uint16_t)(followed - table->entry + 1);
		*followed = *last;
	}
	table->count--;
}

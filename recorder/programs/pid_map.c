/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Map of entries by process id. */
#include "recorder/programs/pid_map.h"

#include <stdlib.h>
#include <string.h>

int sw_pid_map_open(struct sw_pid_map *map, size_t slot_count,
		    size_t entry_size)
{
	map->entries = calloc(slot_count, entry_size);
	map->entry_size = entry_size;
	map->slot_count = slot_count;
	map->count = 0;
	return map->entries ? 0 : -1;
}

void sw_pid_map_close(struct sw_pid_map *map)
{
	free(map->entries);
	map->entries = NULL;
}

static unsigned char *entry_at(const struct sw_pid_map *map, size_t slot)
{
	return map->entries + slot * map->entry_size;
}

static pid_t pid_at(const struct sw_pid_map *map, size_t slot)
{
	pid_t pid;

	memcpy(&pid, entry_at(map, slot), sizeof(pid));
	return pid;
}

/* Return the slot of the pid, or a free one for it. */
static size_t slot_of(const struct sw_pid_map *map, pid_t pid)
{
	/* No hashing: processes started together share pages. */
	size_t slot = (size_t)pid % map->slot_count;

	while (pid_at(map, slot) && pid_at(map, slot) != pid)
		slot = (slot + 1) % map->slot_count;
	return slot;
}

void *sw_pid_map_find(const struct sw_pid_map *map, pid_t pid)
{
	size_t slot = slot_of(map, pid);

	return pid > 0 && pid_at(map, slot) ? entry_at(map, slot) : NULL;
}

void *sw_pid_map_add(struct sw_pid_map *map, pid_t pid)
{
	size_t slot = slot_of(map, pid);

	if (pid <= 0)
		return NULL;
	if (!pid_at(map, slot)) {
		if (map->count >= map->slot_count / 2)
			return NULL;
		map->count++;
	}
	memset(entry_at(map, slot), 0, map->entry_size);
	memcpy(entry_at(map, slot), &pid, sizeof(pid));
	return entry_at(map, slot);
}

/* Backward-shift deletion: move up the entries that follow. */
void sw_pid_map_remove(struct sw_pid_map *map, pid_t pid)
{
	size_t hole = slot_of(map, pid), slot = hole, home;

	if (pid <= 0 || !pid_at(map, hole))
		return;
	map->count--;
	for (;;) {
		slot = (slot + 1) % map->slot_count;
		if (!pid_at(map, slot))
			break;
		home = (size_t)pid_at(map, slot) % map->slot_count;
		/* Keep it if its home is between the hole and itself. */
		if ((slot - home) % map->slot_count <
		    (slot - hole) % map->slot_count)
			continue;
		memcpy(entry_at(map, hole), entry_at(map, slot),
		       map->entry_size);
		hole = slot;
	}
	memset(entry_at(map, hole), 0, map->entry_size);
}

void *sw_pid_map_next(const struct sw_pid_map *map, size_t *slot)
{
	for (; *slot < map->slot_count; (*slot)++) {
		if (pid_at(map, *slot))
			return entry_at(map, (*slot)++);
	}
	return NULL;
}

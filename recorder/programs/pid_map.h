/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries by process id: open addressing in one block of a fixed size.  When
 * it is full, nothing more goes in.
 */
#ifndef SW_RECORDER_PID_MAP_H
#define SW_RECORDER_PID_MAP_H

#include <stddef.h>
#include <sys/types.h>

/* An entry begins with its pid_t, 0 where it is free. */
struct sw_pid_map {
	unsigned char *entries;
	size_t entry_size;
	size_t slot_count;	/* a power of two */
	size_t count;
};

/* 0, or -1 where there is no memory.  Holds half of slot_count. */
int sw_pid_map_open(struct sw_pid_map *map, size_t slot_count,
		    size_t entry_size);
void sw_pid_map_close(struct sw_pid_map *map);

/* NULL: there is none.  Valid until an entry is added or removed. */
void *sw_pid_map_find(const struct sw_pid_map *map, pid_t pid);

/* A new one, all zero but for its pid; what was there is gone.  NULL: full. */
void *sw_pid_map_add(struct sw_pid_map *map, pid_t pid);

void sw_pid_map_remove(struct sw_pid_map *map, pid_t pid);

/*
 * The first entry at *slot or behind it, and *slot where to go on; NULL at the
 * end.  After the removal of the entry, go on at the slot it was found in:
 * another may have moved up.
 */
void *sw_pid_map_next(const struct sw_pid_map *map, size_t *slot);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Map of entries by process id: open addressing in a block of fixed size, which
 * does not grow.
 */
#ifndef SW_RECORDER_PID_MAP_H
#define SW_RECORDER_PID_MAP_H

#include <stddef.h>
#include <sys/types.h>

/* An entry begins with its pid_t; 0: free. */
struct sw_pid_map {
	unsigned char *entries;
	size_t entry_size;
	size_t slot_count;	/* a power of two */
	size_t count;
};

/* Return 0, or -1 if out of memory.  Holds up to slot_count / 2 entries. */
int sw_pid_map_open(struct sw_pid_map *map, size_t slot_count,
		    size_t entry_size);
void sw_pid_map_close(struct sw_pid_map *map);

/* Return the entry, or NULL.  Valid until an entry is added or removed. */
void *sw_pid_map_find(const struct sw_pid_map *map, pid_t pid);

/* Add an entry, replacing any old one; all zero but its pid.  NULL: full. */
void *sw_pid_map_add(struct sw_pid_map *map, pid_t pid);

void sw_pid_map_remove(struct sw_pid_map *map, pid_t pid);

/*
 * Return the first entry at or after *slot, and advance *slot; NULL at the end.
 * After removing the entry, continue at the slot where it was found: another
 * one may have moved there.
 */
void *sw_pid_map_next(const struct sw_pid_map *map, size_t *slot);

#endif

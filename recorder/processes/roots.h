/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that belong to a tree but have no parent in it, found by other
 * means.  The process that reaps them is outside the tree too, so their usage
 * is kept as it was last seen.
 */
#ifndef SW_RECORDER_ROOTS_H
#define SW_RECORDER_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/processes/totals.h"

enum { SW_ROOTS_MAX = 1024 };

struct sw_root {
	pid_t pid;
	uint64_t start_ticks; /* identity, together with pid */
	bool is_seen;
	bool is_inherited;	/* its parent is in the tree after all */
	struct sw_process last; /* if it was seen */
};

/* All zero is an empty list. */
struct sw_roots {
	struct sw_root *items;
	size_t count, capacity;
	uint64_t left_out; /* roots beyond the limit */
	bool has_gone;
	struct sw_totals gone; /* if has_gone: usage of the exited roots */
};

/* Add a root unless it is there already.  Return false if the list is full. */
bool sw_roots_add(struct sw_roots *roots, pid_t pid, uint64_t start_ticks);

/* Return true if the pid of a root now belongs to this other process. */
bool sw_roots_is_other(const struct sw_roots *roots,
		       const struct sw_process *process);

/*
 * Update roots->items[i] after a refresh.  process is NULL if the root has
 * exited; it is then removed and its index is reused.  is_inherited is true if
 * its parent is in the tree.
 */
void sw_roots_settle(struct sw_roots *roots, size_t i,
		     const struct sw_process *process, bool is_inherited);
void sw_roots_fini(struct sw_roots *roots);

#endif

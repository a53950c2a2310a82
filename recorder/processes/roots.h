/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that are of a tree although none of it is their parent: somebody
 * else found them.  Whoever waits for them is outside, too, so that what they
 * have used is kept as it was last seen.
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
	uint64_t start_ticks; /* with pid, its identity */
	bool is_seen;
	bool is_inherited;	/* its parent is of the tree, after all */
	struct sw_process last; /* if it was seen */
};

/* All zero is none. */
struct sw_roots {
	struct sw_root *items;
	size_t count, capacity;
	uint64_t left_out; /* beyond the bound */
	bool has_gone;
	struct sw_totals gone; /* if some have: what they had used */
};

/* Again is harmless.  False where there is no room for it. */
bool sw_roots_add(struct sw_roots *roots, pid_t pid, uint64_t start_ticks);

/* Has the pid of a root passed to this other process? */
bool sw_roots_is_other(const struct sw_roots *roots,
		       const struct sw_process *process);

/*
 * What a refresh has found of roots->items[i] (NULL: it is gone, and takes its
 * place in the list with it), and whether its parent is of the tree.
 */
void sw_roots_settle(struct sw_roots *roots, size_t i,
		     const struct sw_process *process, bool is_inherited);
void sw_roots_fini(struct sw_roots *roots);

#endif

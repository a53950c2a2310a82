/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that belong to a tree but have no parent in it. */
#include "recorder/processes/roots.h"

#include <stdlib.h>
#include <string.h>

static struct sw_root *find(const struct sw_roots *roots, pid_t pid)
{
	size_t i;

	for (i = 0; i < roots->count; i++) {
		if (roots->items[i].pid == pid)
			return &roots->items[i];
	}
	return NULL;
}

static bool grow(struct sw_roots *roots)
{
	size_t capacity = roots->capacity ? 2 * roots->capacity : 16;
	struct sw_root *grown;

	if (roots->count < roots->capacity)
		return true;
	if (roots->count == SW_ROOTS_MAX)
		return false;
	grown = realloc(roots->items, capacity * sizeof(*grown));
	if (!grown)
		return false;
	roots->items = grown;
	roots->capacity = capacity;
	return true;
}

bool sw_roots_add(struct sw_roots *roots, pid_t pid, uint64_t start_ticks)
{
	struct sw_root *root = find(roots, pid);

	if (root && root->start_ticks == start_ticks)
		return true;
	/* The exit of the previous process was not seen. */
	if (root)
		sw_roots_settle(roots, (size_t)(root - roots->items), NULL,
				false);
	if (!grow(roots)) {
		roots->left_out++;
		return false;
	}
	roots->items[roots->count++] =
		(struct sw_root){ .pid = pid, .start_ticks = start_ticks };
	return true;
}

bool sw_roots_is_other(const struct sw_roots *roots,
		       const struct sw_process *process)
{
	const struct sw_root *root = find(roots, process->pid);

	return root && root->start_ticks != process->start_ticks;
}

void sw_roots_settle(struct sw_roots *roots, size_t i,
		     const struct sw_process *process, bool is_inherited)
{
	struct sw_root *root = &roots->items[i];

	if (process) {
		root->last = *process;
		root->is_seen = true;
		root->is_inherited = is_inherited;
		return;
	}
	if (root->is_seen && !root->is_inherited) {
		if (!roots->has_gone)
			roots->gone = sw_totals_missing;
		roots->has_gone = true;
		sw_totals_add(&roots->gone, &root->last);
	}
	*root = roots->items[--roots->count];
}

void sw_roots_fini(struct sw_roots *roots)
{
	free(roots->items);
	memset(roots, 0, sizeof(*roots));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Add up the activity of nodes.  Links stay with their nodes; a mount on
 * several nodes is one.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/job/view_sum_internal.h"

static bool is_same_mount(const struct sw_view_mount *a,
			  const struct sw_view_mount *b)
{
	return !strcmp(a->name, b->name) &&
	       sw_is_same_text(a->detail, b->detail);
}

static void merge_mount(struct sw_view_node *sum,
			const struct sw_view_mount *mount)
{
	size_t i;

	for (i = 0; i < sum->mount_count; i++) {
		if (is_same_mount(&sum->mounts[i], mount)) {
			sw_fields_add(&sum->mounts[i], sw_mount_fields,
				      mount);
			return;
		}
	}
	sum->mounts[sum->mount_count++] = *mount;
}

static int sum_mounts(struct sw_view_node *sum,
		      const struct sw_view *const *view, size_t count)
{
	size_t i, j, all = 0;

	for (i = 0; i < count; i++)
		all += view[i]->nearby.mount_count;
	if (all == 0)
		return 0;
	sum->mounts = calloc(all, sizeof(*sum->mounts));
	if (!sum->mounts)
		return -1;
	for (i = 0; i < count; i++) {
		for (j = 0; j < view[i]->nearby.mount_count; j++)
			merge_mount(sum, &view[i]->nearby.mounts[j]);
	}
	return 0;
}

int sw_view_sum_nearby(struct sw_view *total,
		       const struct sw_view *const *view, size_t count)
{
	struct sw_view_energy *energy = &total->nearby.energy;

	energy->cpu_share = sw_ratio_u64(energy->step_uj, energy->node_uj);
	return sum_mounts(&total->nearby, view, count);
}

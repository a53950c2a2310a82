/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the mount that a group's steps stood still for most. */
#include <stddef.h>
#include <string.h>

#include "analyzer/sweep/page/page.h"

/* Share of the steps' I/O waits; below it, several mounts matter. */
#define MOST_RATIO 0.5

/* Compare in the order of keys, for any mount. */
static int compare(const struct sw_tally *tally, const struct sw_tally *group)
{
	int order = (int)tally->of - (int)SW_TALLY_GROUP_MOUNT;

	if (!order)
		order = strcmp(tally->cluster, group->cluster);
	if (!order)
		order = strcmp(tally->name, group->name);
	return order ? order : strcmp(tally->user, group->user);
}

static size_t first_of(const struct sw_sweep_page *page,
		       const struct sw_tally *group)
{
	size_t low = 0, high = page->night->tallies.count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare(page->sorted[middle], group) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_most(const struct sw_tally *mount, const struct sw_tally *group)
{
	double waited = sw_sweep_io_ratio(group->n) *
			(double)group->n[SW_TALLY_STEP_USEC];

	return (double)mount->n[SW_TALLY_STALL_IDLE_USEC] >=
	       MOST_RATIO * waited;
}

const struct sw_tally *sw_sweep_mount(const struct sw_sweep_page *page,
				      const struct sw_tally *group)
{
	const struct sw_tally *found = NULL;
	size_t i;

	/* Not recorded by task of a pipeline or run. */
	if (group->of != SW_TALLY_GROUP)
		return NULL;
	for (i = first_of(page, group); i < page->night->tallies.count &&
	     !compare(page->sorted[i], group); i++) {
		const struct sw_tally *mount = page->sorted[i];

		if (!found || mount->n[SW_TALLY_STALL_IDLE_USEC] >
				      found->n[SW_TALLY_STALL_IDLE_USEC])
			found = mount;
	}
	return found && is_most(found, group) ? found : NULL;
}

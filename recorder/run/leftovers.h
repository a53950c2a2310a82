/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a command left running. */
#ifndef SW_RECORDER_LEFTOVERS_H
#define SW_RECORDER_LEFTOVERS_H

#include <stdint.h>

#include "recorder/cgroup/cgroup.h"
#include "recorder/processes/tree.h"
#include "recorder/tables/events.h"

struct sw_leftovers {
	struct sw_events *events;	/* NULL: they are not noted */
	struct sw_tree *tree;		/* without a cgroup; or NULL */
	int proc_fd;
	uint64_t count;
};

/*
 * Notes them, by the first of the two cgroups that is there, else by the tree,
 * and gives them back to where they would have been; removes both cgroups.
 */
void sw_leftovers_release(struct sw_leftovers *leftovers,
			  struct sw_cgroup *cgroup,
			  struct sw_cgroup *cgroup_v1);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes left running by a command. */
#ifndef SW_RECORDER_LEFTOVERS_H
#define SW_RECORDER_LEFTOVERS_H

#include <stdint.h>

#include "recorder/cgroup/cgroup.h"
#include "recorder/processes/tree.h"
#include "recorder/tables/events.h"

struct sw_leftovers {
	struct sw_events *events;	/* NULL: not recorded */
	struct sw_tree *tree;		/* without a cgroup; may be NULL */
	int proc_fd;
	uint64_t count;
};

/*
 * Record them, from the first existing one of both cgroups, or else from the
 * tree; move them back to their original cgroup and remove both cgroups.
 */
void sw_leftovers_release(struct sw_leftovers *leftovers,
			  struct sw_cgroup *cgroup,
			  struct sw_cgroup *cgroup_v1);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of "stepwell run", shared by commands and attached processes. */
#ifndef SW_RECORDER_FOREGROUND_INTERNAL_H
#define SW_RECORDER_FOREGROUND_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/cgroup/cgroup.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/cgroup/available.h"
#include "recorder/run/attach.h"
#include "recorder/run/command.h"
#include "recorder/run/destination.h"
#include "recorder/run/loop.h"
#include "recorder/run/members.h"
#include "recorder/run/options.h"
#include "recorder/run/signals.h"
#include "recorder/sampler/sampler.h"
#include "recorder/tables/events.h"
#include "recorder/topology/topology_load.h"

struct run {
	const struct sw_options *options;
	struct sw_destination place;	/* writer NULL: not recorded */
	struct sw_signals signals;
	struct sw_cgroup cgroup;
	struct sw_cgroup cgroup_v1;	/* where that counts no memory */
	struct sw_cgroup_v1 own_v1;	/* the target's */
	struct sw_cgroup_v1 home_v1;	/* where the recorder was started */
	struct sw_available available;
	struct sw_command command;
	struct sw_attach attach; /* used in place of command */
	struct sw_run_members members;
	struct sw_events events;
	struct sw_target target;
	struct sw_target_task task;
	const struct sw_wait_tally *waits;	/* of the target */
	struct sw_topology_load topology;
	struct sw_loop loop;
	uint64_t leftover_count;
	bool has_stderr;
	bool is_lost;		/* the profile has no name any more */
};

/* Called in this order, around the loop */
void sw_run_set_up(struct run *run);
void sw_run_start(struct run *run);
void sw_run_finish(struct run *run);
void sw_run_close(struct run *run);
void sw_run_keep(struct run *run);

/* Return whether there is no root process: only the tree has the processes. */
static inline bool sw_run_is_of_members(const struct run *run)
{
	return run->options->is_attached && !run->options->attach.pid;
}

/* Record a running process; return the exit status. */
int sw_run_attached(struct run *run);

#endif

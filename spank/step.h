/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one record that survives a hook: who this step is, its tasks and what
 * is left of the time it may wait.  Static, never allocated, and written in
 * place, so that it also works where Slurm runs a hook in a child that shares
 * its memory (contain_spank), and where the plugin is included twice.
 */
#ifndef SW_SPANK_STEP_H
#define SW_SPANK_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include <slurm/spank.h>

#include "common/protocol.h"

struct sw_spank_step {
	struct sw_message_step_start message;
	uint64_t start_wait_usec;	/* left for the answer to a start */
	uint64_t end_wait_usec;
	uint32_t inherited_restarts;	/* of the job that submitted it */
	bool is_cgroup_v1;		/* the message's cgroup is */
	bool is_started;		/* STEP_START was sent */
	bool has_ended;
};

/* slurmstepd serves one step and no other. */
extern struct sw_spank_step sw_spank_step;

/* Who: from Slurm's items and the job's environment. */
void sw_step_identify(struct sw_spank_step *step, spank_t spank);

/* What Slurm says of the job only when a task has ended. */
void sw_step_identify_late(struct sw_spank_step *step, spank_t spank);

/*
 * Note the task that a hook is about.  True when it is the last of this
 * node's, and the step has not been announced yet.
 */
bool sw_step_add_task(struct sw_spank_step *step, spank_t spank);

/* The noted task that a hook is about; NULL where there is none. */
struct sw_message_task *sw_step_find_task(struct sw_spank_step *step,
					  spank_t spank);

#endif

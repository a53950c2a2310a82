/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only record that survives a hook: the identity of this step, its tasks
 * and the remaining waiting time.  Static, never allocated, and written in
 * place, so that it also works if Slurm runs a hook in a child that shares its
 * memory (contain_spank), and if the plugin is included twice.
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
	bool is_cgroup_v1;		/* of the message's cgroup */
	bool is_started;		/* STEP_START was sent */
	bool has_ended;
};

/* slurmstepd serves only one step. */
extern struct sw_spank_step sw_spank_step;

/* Read the identity from Slurm's items and the job's environment. */
void sw_step_identify(struct sw_spank_step *step, spank_t spank);

/* Read the values that Slurm provides only when a task has exited. */
void sw_step_identify_late(struct sw_spank_step *step, spank_t spank);

/*
 * Add the task of a hook.  Return true if it is the last of this node and the
 * step has not been announced yet.
 */
bool sw_step_add_task(struct sw_spank_step *step, spank_t spank);

/* Return the stored task of a hook, or NULL if there is none. */
struct sw_message_task *sw_step_find_task(struct sw_spank_step *step,
					  spank_t spank);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling of stack captures: how many children run at a time, and how much
 * CPU time they may use, by user and by job.  CPU time used is owed and paid
 * back at a fixed rate.  A user may owe no more than is left for all, and a job
 * no more than its user does not owe of that, as in kernel/share.h: many
 * waiting jobs of one user cannot starve another user.
 */
#ifndef SW_RECORDER_TURNS_H
#define SW_RECORDER_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/units.h"

enum {
	SW_TURNS_AT_ONCE = 4,
	SW_TURNS_OF_USER = 2,	/* of these; the last is for a user with none */
	SW_TURNS_OWING_MAX = 128,
	SW_TURNS_JOBS_MAX = 16,	/* number of jobs of a user kept apart */
};

/* Maximum that all can owe together; a job alone can owe a third of it. */
#define SW_TURNS_USEC (15 * SW_USEC_PER_SEC)

/* Amount reserved for each child until it exits. */
#define SW_TURNS_CHILD_USEC SW_USEC_PER_SEC

/* A job that owes CPU time or has a child. */
struct sw_turns_owing {
	uint32_t uid, job;
	unsigned children;
	unsigned stuck;		/* children stuck on a dead file system */
	uint64_t usec;
};

/* All zero at first, except for the rate. */
struct sw_turns {
	uint64_t rate_permille;	/* of one CPU */
	uint64_t now_usec;	/* time of the last payment */
	uint64_t rest;		/* of that, thousandths of a microsecond */
	size_t count;
	struct sw_turns_owing owing[SW_TURNS_OWING_MAX];
};

/* Return true if the job may have one more child, which is then counted. */
bool sw_turns_take(struct sw_turns *turns, uint32_t uid, uint32_t job,
		   uint64_t now_usec);

/* Record that a child has exited after using this much CPU time. */
void sw_turns_give(struct sw_turns *turns, uint32_t uid, uint32_t job,
		   uint64_t used_usec);

/* Mark a child as stuck after its kill: it counts only for its user ... */
void sw_turns_set_stuck(struct sw_turns *turns, uint32_t uid, uint32_t job);
/* ... until it exits. */
void sw_turns_end_stuck(struct sw_turns *turns, uint32_t uid, uint32_t job,
			uint64_t used_usec);

/* Return the CPU time still owed, for children that have exited. */
uint64_t sw_turns_owed_usec(struct sw_turns *turns, uint64_t now_usec);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose stacks may be read now: how many children there are at a time, and how
 * much CPU time they may take, by user and by job.  Time that was taken is paid
 * back at a rate.  Until then a user may owe no more than is left for all, and
 * a job no more than its user does not owe of that, as in kernel/share.h: of
 * many jobs that stand still, none keeps another user's from its turn.
 */
#ifndef SW_RECORDER_TURNS_H
#define SW_RECORDER_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/units.h"

enum {
	SW_TURNS_AT_ONCE = 4,
	SW_TURNS_OF_USER = 2,	/* of these; the last one is for who has none */
	SW_TURNS_OWING_MAX = 128,
	SW_TURNS_JOBS_MAX = 16,	/* of a user, that are told apart */
};

/* What all can owe together: a job alone a third of it. */
#define SW_TURNS_USEC (15 * SW_USEC_PER_SEC)

/* Each child is taken for so much, until it has ended. */
#define SW_TURNS_CHILD_USEC SW_USEC_PER_SEC

/* A job that owes, or has a child. */
struct sw_turns_owing {
	uint32_t uid, job;
	unsigned children;
	unsigned stuck;		/* that cannot be ended, on a dead file system */
	uint64_t usec;
};

/* All 0 at first, but for the rate. */
struct sw_turns {
	uint64_t rate_permille;	/* of one CPU */
	uint64_t now_usec;	/* when last paid back */
	uint64_t rest;		/* of that, thousandths of a microsecond */
	size_t count;
	struct sw_turns_owing owing[SW_TURNS_OWING_MAX];
};

/* May the job have one more child?  It has, then. */
bool sw_turns_take(struct sw_turns *turns, uint32_t uid, uint32_t job,
		   uint64_t now_usec);

/* It has ended, having used so much. */
void sw_turns_give(struct sw_turns *turns, uint32_t uid, uint32_t job,
		   uint64_t used_usec);

/* It was to end and has not: it is in the way of its user's alone ... */
void sw_turns_set_stuck(struct sw_turns *turns, uint32_t uid, uint32_t job);
/* ... until it does. */
void sw_turns_end_stuck(struct sw_turns *turns, uint32_t uid, uint32_t job,
			uint64_t used_usec);

/* CPU time that all owe by now, of children that have ended. */
uint64_t sw_turns_owed_usec(struct sw_turns *turns, uint64_t now_usec);

#endif

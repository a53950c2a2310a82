/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranks of MPI that ask for messages without a pause: their CPU time is not
 * work.  Only who may be one is watched, by a file descriptor each, and who
 * waits often is not.
 */
#ifndef SW_RECORDER_POLLING_H
#define SW_RECORDER_POLLING_H

#include <stdbool.h>

#include "recorder/bpf/exec_record.h"
#include "recorder/bpf/followed.h"
#include "recorder/programs/program.h"

/* Of a step; all zero is empty. */
struct sw_polling {
	unsigned count;		/* processes that are watched */
	bool has_ranks;		/* a launcher of MPI has run */
	bool wants_some;	/* some of its processes are to be watched */
};

/* It executes a program; has_tasks: the step has several. */
void sw_polling_exec(struct sw_polling *polling, struct sw_followed *live,
		     const char *program, bool has_tasks);

/* After each look at the processes, some of which are owner's. */
void sw_polling_look(struct sw_polling *polling,
		     struct sw_followed_table *followed, const void *owner);

/* It is watched no more. */
void sw_polling_end(struct sw_polling *polling, struct sw_followed *live);

/* To the program of a process that has ended. */
void sw_polling_add(struct sw_program *program, const struct sw_followed *live,
		    const struct sw_record_sums *sums);

#endif

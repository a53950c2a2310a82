/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watch MPI ranks that wait by polling: that CPU time is not work.  Only
 * possible ranks are watched, with a file descriptor each, and only if they
 * rarely wait.
 */
#ifndef SW_RECORDER_POLLING_H
#define SW_RECORDER_POLLING_H

#include <stdbool.h>

#include "recorder/bpf/exec_record.h"
#include "recorder/bpf/followed.h"
#include "recorder/programs/program.h"

/* State of a step; all zero is empty */
struct sw_polling {
	unsigned count;		/* watched processes */
	bool has_ranks;		/* an MPI launcher has run */
	bool wants_some;	/* some processes are yet to be watched */
};

/* A process executes a program; has_tasks: the step has several tasks. */
void sw_polling_exec(struct sw_polling *polling, struct sw_followed *live,
		     const char *program, bool has_tasks);

/* Update the watches after each sample, for the processes of this owner. */
void sw_polling_look(struct sw_polling *polling,
		     struct sw_followed_table *followed, const void *owner);

/* Stop watching. */
void sw_polling_end(struct sw_polling *polling, struct sw_followed *live);

/* Add an exited process to its program. */
void sw_polling_add(struct sw_program *program, const struct sw_followed *live,
		    const struct sw_record_sums *sums);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "stacks": what functions a thread was in while a step stood still. */
#ifndef SW_RECORDER_TABLES_STACKS_H
#define SW_RECORDER_TABLES_STACKS_H

#include <stdint.h>

#include "profiles/writer.h"

struct sw_stack_row {
	uint64_t time_usec;	/* that of the rows in "hangs" */
	uint64_t took_usec;
	uint64_t pid, tid;
	const char *stack;	/* hostile; NULL: it was not read */
	/* Why not: "rights", "budget", "time"; NULL: it was. */
	const char *left_out;
};

/* The table is made at its first row; dropped silently where it cannot be. */
void sw_stacks_write(struct sw_writer *writer, uint64_t step,
		     const struct sw_stack_row *row);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "stacks": call stacks of threads while a step was hanging. */
#ifndef SW_RECORDER_TABLES_STACKS_H
#define SW_RECORDER_TABLES_STACKS_H

#include <stdint.h>

#include "profiles/writer.h"

struct sw_stack_row {
	uint64_t time_usec;	/* that of the rows in "hangs" */
	uint64_t took_usec;
	uint64_t pid, tid;
	const char *stack;	/* untrusted; NULL: not read */
	/* Why not: "rights", "budget", "time"; NULL: it was. */
	const char *left_out;
};

/* Write a row.  Creates the table first; drops the row if that fails. */
void sw_stacks_write(struct sw_writer *writer, uint64_t step,
		     const struct sw_stack_row *row);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "pipes": processes that wait for a pipe, and its other ends. */
#ifndef SW_RECORDER_PIPES_TABLE_H
#define SW_RECORDER_PIPES_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "profiles/writer.h"

/* A process at an end of a pipe; its program is untrusted. */
struct sw_pipe_end {
	const char *program;
	uint64_t pid;
	uint64_t cpu_usec, age_usec; /* from its start until then */
	uint64_t run_queue_wait_usec;	/* of its threads; or missing */
};

struct sw_pipe_row {
	uint64_t time_usec, took_usec;
	bool is_writing; /* the waiter writes to a full pipe */
	uint64_t others; /* processes that have the other end */
	struct sw_pipe_end waiter, other;
};

/* Write a row.  Creates the table first; drops the row if that fails. */
void sw_pipes_write(struct sw_writer *writer, uint64_t step,
		    const struct sw_pipe_row *row);

#endif

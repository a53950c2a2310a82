/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "pipes": who waited for a pipe, and who had its other end. */
#ifndef SW_RECORDER_PIPES_TABLE_H
#define SW_RECORDER_PIPES_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "profiles/writer.h"

/* A process at an end of a pipe; its program is hostile. */
struct sw_pipe_end {
	const char *program;
	uint64_t pid;
	uint64_t cpu_usec, age_usec; /* since it began, then */
	uint64_t run_queue_wait_usec;	/* likewise, of its threads; or missing */
};

struct sw_pipe_row {
	uint64_t time_usec, took_usec;
	bool is_writing; /* who waits: it was full, and not empty */
	uint64_t others; /* processes that have the other end */
	struct sw_pipe_end waiter, other;
};

/* The table is made at its first row; dropped silently where it cannot be. */
void sw_pipes_write(struct sw_writer *writer, uint64_t step,
		    const struct sw_pipe_row *row);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "hangs": waits of the threads while a step was hanging. */
#ifndef SW_RECORDER_HANGS_H
#define SW_RECORDER_HANGS_H

#include <stdint.h>

#include "profiles/writer.h"

/* Threads of one process in the same wait; texts are NULL or untrusted. */
struct sw_hang_row {
	uint64_t time_usec;
	uint64_t still_usec, took_usec;
	uint64_t pid, tid, threads;
	const char *program, *kind, *call, *function, *object;
	uint64_t other_pid, sleep_usec;	/* SW_MISSING: none */
	uint64_t runs, runs_usec;	/* SW_MISSING: not known */
	uint64_t is_connecting;		/* SW_MISSING: it has no peer */
	const char *other;
};

/* Write a row.  Creates the table first; drops the row if that fails. */
void sw_hangs_write(struct sw_writer *writer, uint64_t step,
		    const struct sw_hang_row *row);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program at the other end of the pipes that threads wait for, and whether
 * it is busy.  Checked when threads have waited for 4 s, and each time that has
 * doubled.  Repeated at the next samples, up to four times, if no two of the
 * processes found have run long enough to be compared.
 */
#ifndef SW_RECORDER_PIPES_H
#define SW_RECORDER_PIPES_H

#include <stdbool.h>
#include <stdint.h>

#include "profiles/writer.h"
#include "recorder/sources/source.h"

enum {
	SW_PIPES_SECONDS = 4,
	SW_PIPES_LOOKS_MAX = 16,
	SW_PIPES_TRIES = 4,
	/* The CPU time of a younger process says little. */
	SW_PIPES_AGE_SECONDS = 2
};

/* All zero at first. */
struct sw_pipes {
	unsigned looks, tries; /* tries: for the next scan */
};

/* Check the waits of the step's last sample; NULL: not known. */
bool sw_pipes_is_due(const struct sw_pipes *pipes,
		     const struct sw_wait_tally *tally);

/*
 * Write a row for each pair of processes, up to eight.  Return true if two of
 * them can be compared.
 */
bool sw_pipes_take(const struct sw_target *target, struct sw_writer *writer,
		   uint64_t now_usec);

/* Count a scan. */
void sw_pipes_add(struct sw_pipes *pipes, bool is_told);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step whose threads wait for pipes: which program is at the other end, and
 * whether that one is busy.  Looked at when they have waited for 4 s, and each
 * time that this has doubled; again at the next samples, up to four times, where
 * no two processes were met that have run for long enough to be compared.
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
	/* What a younger process has used of its time says little. */
	SW_PIPES_AGE_SECONDS = 2
};

/* All 0 at first. */
struct sw_pipes {
	unsigned looks, tries; /* tries: of the next look */
};

/* By the waits of the step's last sample; NULL: they are not known. */
bool sw_pipes_is_due(const struct sw_pipes *pipes,
		     const struct sw_wait_tally *tally);

/*
 * Look, and write a row for each pair of processes, up to eight.  Whether two
 * of them can be compared.
 */
bool sw_pipes_take(const struct sw_target *target, struct sw_writer *writer,
		   uint64_t now_usec);

/* It was looked at. */
void sw_pipes_add(struct sw_pipes *pipes, bool is_told);

#endif

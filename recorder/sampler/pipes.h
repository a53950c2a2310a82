/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step whose threads wait for pipes: which program is at the other end, and
 * whether that one is busy.  Looked at when they have waited for 4 s, and each
 * time that this has doubled.
 */
#ifndef SW_RECORDER_PIPES_H
#define SW_RECORDER_PIPES_H

#include <stdbool.h>
#include <stdint.h>

#include "profiles/writer.h"
#include "recorder/sources/source.h"

enum { SW_PIPES_SECONDS = 4, SW_PIPES_LOOKS_MAX = 16 };

/* All 0 at first. */
struct sw_pipes {
	unsigned looks;
};

/* By the waits of the step's last sample; NULL: they are not known. */
bool sw_pipes_is_due(struct sw_pipes *pipes, const struct sw_wait_tally *tally);

/* Look, and write a row for each pair of processes, up to eight. */
void sw_pipes_take(const struct sw_target *target, struct sw_writer *writer,
		   uint64_t now_usec);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe a thread that hangs in I/O. */
#ifndef SW_RECORDER_STALL_EVENT_H
#define SW_RECORDER_STALL_EVENT_H

#include "recorder/programs/programs.h"
#include "recorder/waits/wait_tally.h"

/*
 * Emit an event with details like "read of /scratch/x, in request_wait_answer
 * (fuse)".  Does not access the file system, which may hang.  program may be
 * NULL.
 */
void sw_stall_event_add(const struct sw_stall *stall,
			const struct sw_programs_target *target,
			const char *program);

#endif

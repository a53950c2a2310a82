/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Emit an event for a process killed by a signal. */
#ifndef SW_RECORDER_KILLED_EVENT_H
#define SW_RECORDER_KILLED_EVENT_H

#include "recorder/programs/programs.h"

struct sw_killed {
	const char *program;	/* untrusted */
	pid_t pid;
	int signal;
	bool is_oom_victim;
	uint64_t time_usec;
};

/*
 * Emit the event, unless the step has too many; *count is their number.  The
 * command itself is reported by the code that waits for it.
 */
void sw_killed_event_add(const struct sw_killed *killed,
			 const struct sw_programs_target *target,
			 size_t *count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that was killed by a signal, as an event. */
#ifndef SW_RECORDER_KILLED_EVENT_H
#define SW_RECORDER_KILLED_EVENT_H

#include "recorder/programs/programs.h"

struct sw_killed {
	const char *program;	/* hostile */
	pid_t pid;
	int signal;
	bool is_oom_victim;
	uint64_t time_usec;
};

/*
 * Unless there were too many in the step, of which *count is kept; the command
 * itself is told of by who waits for it.
 */
void sw_killed_event_add(const struct sw_killed *killed,
			 const struct sw_programs_target *target,
			 size_t *count);

#endif

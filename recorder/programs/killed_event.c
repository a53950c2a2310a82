/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Emit an event for a process killed by a signal. */
#include "recorder/programs/killed_event.h"

#include "recorder/tables/events.h"

enum { EVENTS_MAX = 64 }; /* per step */

void sw_killed_event_add(const struct sw_killed *killed,
			 const struct sw_programs_target *target, size_t *count)
{
	if (!target->event || killed->pid == target->root_pid ||
	    *count == EVENTS_MAX)
		return;
	++*count;
	target->event(target->context,
		      &(struct sw_event){ .time_usec = killed->time_usec,
					  .kind = killed->is_oom_victim
							 ? "oom_killed"
							 : "killed",
					  .program = killed->program,
					  .pid = (uint64_t)killed->pid,
					  .value = (uint64_t)killed->signal });
}

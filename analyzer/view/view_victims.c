/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which programs the kernel killed for memory, where the source of programs
 * does not know: those that died of SIGKILL when the cgroup counted an OOM
 * kill.  Someone else may have sent it at that time, so this is probable only.
 */
#include <signal.h>
#include <string.h>

#include "analyzer/view/view_internal.h"
#include "common/units.h"

/*
 * The kernel counts a kill when it chooses the process; the recorder is told
 * some 10 ms later, and the process may take as long to die.
 */
#define NEAR_USEC SW_USEC_PER_SEC

static bool is_at_oom_kill(const struct sw_view *view, uint64_t usec)
{
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (!strcmp(event->kind, "oom_kill") &&
		    event->time_usec + NEAR_USEC >= usec &&
		    usec + NEAR_USEC >= event->time_usec)
			return true;
	}
	return false;
}

/* Of the one program, as far as its ends are events. */
static uint64_t count_victims(const struct sw_view *view, const char *program)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		count += !strcmp(event->kind, "killed") && event->program &&
			 !strcmp(event->program, program) &&
			 event->value == SIGKILL &&
			 is_at_oom_kill(view, event->time_usec);
	}
	return count;
}

void sw_view_find_victims(struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		struct sw_view_program *program = &view->programs[i];
		uint64_t count;

		if (!sw_is_missing(program->oom_killed) ||
		    sw_zero_if_missing(program->killed) == 0)
			continue;
		count = count_victims(view, program->name);
		if (count == 0)
			continue;
		program->oom_killed = sw_min_u64(count, program->killed);
		program->is_victim_guessed = true;
	}
}

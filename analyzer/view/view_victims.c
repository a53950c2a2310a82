/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find programs that the kernel OOM-killed if the source of programs does not
 * know: those that died of SIGKILL when the cgroup counted an OOM kill.  This
 * is only probable, since another process may have sent the signal.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_internal.h"
#include "common/search.h"
#include "common/units.h"

/* Result of one pass over the events; both are sorted. */
struct victims {
	uint64_t *kill_usec;	/* OOM kills */
	size_t kill_count;
	const char **names;	/* programs SIGKILLed near one */
	size_t name_count;
};

static bool is_before(const void *item, const void *key)
{
	return *(const uint64_t *)item < *(const uint64_t *)key;
}

static bool is_at_oom_kill(const struct victims *victims, uint64_t usec)
{
	uint64_t from = usec > SW_AT_ONCE_USEC ? usec - SW_AT_ONCE_USEC : 0;
	size_t i = sw_lower_bound(victims->kill_usec, victims->kill_count,
				  sizeof(from), is_before, &from);

	return i < victims->kill_count && victims->kill_usec[i] >= from &&
	       (victims->kill_usec[i] <= usec ||
		victims->kill_usec[i] - usec <= SW_AT_ONCE_USEC);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Events are sorted by time. */
static void find_kills(struct victims *victims, const struct sw_view *view)
{
	const struct sw_view_event *event;
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		event = &view->events[i];
		if (!strcmp(event->kind, "oom_kill"))
			victims->kill_usec[victims->kill_count++] =
				event->time_usec;
	}
	for (i = 0; i < view->event_count; i++) {
		event = &view->events[i];
		if (!strcmp(event->kind, "killed") && event->program &&
		    event->value == SIGKILL &&
		    is_at_oom_kill(victims, event->time_usec))
			victims->names[victims->name_count++] = event->program;
	}
	if (victims->name_count)
		qsort(victims->names, victims->name_count,
		      sizeof(*victims->names), compare_names);
}

static bool is_name_before(const void *item, const void *key)
{
	return strcmp(*(const char *const *)item, key) < 0;
}

static bool is_name_until(const void *item, const void *key)
{
	return strcmp(*(const char *const *)item, key) <= 0;
}

/* Number of victims of a program, as far as its ends are events. */
static uint64_t count_victims(const struct victims *victims,
			      const char *program)
{
	return sw_lower_bound(victims->names, victims->name_count,
			      sizeof(*victims->names), is_name_until,
			      program) -
	       sw_lower_bound(victims->names, victims->name_count,
			      sizeof(*victims->names), is_name_before,
			      program);
}

static void find_victims(struct sw_view *view, const struct victims *victims)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		struct sw_view_program *program = &view->programs[i];
		uint64_t count;

		if (!sw_is_missing(program->oom_killed) ||
		    sw_zero_if_missing(program->killed) == 0)
			continue;
		count = count_victims(victims, program->name);
		if (count == 0)
			continue;
		program->oom_killed = sw_min_u64(count, program->killed);
		program->is_victim_guessed = true;
	}
}

int sw_view_find_victims(struct sw_view *view)
{
	size_t room = view->event_count ? view->event_count : 1;
	struct victims victims = {
		.kill_usec = calloc(room, sizeof(*victims.kill_usec)),
		.names = calloc(room, sizeof(*victims.names)),
	};
	int rc = victims.kill_usec && victims.names ? 0 : -1;

	if (rc == 0)
		find_kills(&victims, view);
	if (rc == 0 && victims.name_count)
		find_victims(view, &victims);
	free(victims.kill_usec);
	free(victims.names);
	return rc;
}

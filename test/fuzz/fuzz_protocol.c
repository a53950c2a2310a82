/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz the protocol of plugin and recorder.  The input is at once a message,
 * the value of --stepwell= and the text of /proc/PID/cgroup; the promises of
 * each parser are checked.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool is_kept, const char *promise)
{
	if (is_kept)
		return;
	fprintf(stderr, "broken: %s\n", promise);
	abort();
}

static void demand_string(const char *text, size_t size)
{
	demand(memchr(text, '\0', size) != NULL, "every string ends");
}

static void demand_step(const struct sw_message_step *step)
{
	demand_string(step->cluster, sizeof(step->cluster));
	demand_string(step->job_name, sizeof(step->job_name));
	demand_string(step->cgroup, sizeof(step->cgroup));
	demand_string(step->gpus, sizeof(step->gpus));
	demand_string(step->sluid, sizeof(step->sluid));
	demand(step->stepd_pid > 0 && step->stepd_pid <= INT_MAX &&
	       step->mode <= SW_MODE_REPORT, "a step within its bounds");
}

static void demand_task(const struct sw_message_task *task)
{
	demand(task->pid > 0 && task->pid <= INT_MAX &&
	       task->cgroup_kind <= SW_TASK_CGROUP_OWN,
	       "a task within its bounds");
}

static void demand_finals(const struct sw_message_final_values *final_values)
{
	demand_string(final_values->memory_peak, sizeof(final_values->memory_peak));
	demand_string(final_values->memory_events, sizeof(final_values->memory_events));
	demand_string(final_values->cpu_stat, sizeof(final_values->cpu_stat));
}

static void demand_start(const struct sw_message_step_start *start,
			 size_t size)
{
	uint32_t i;

	demand_step(&start->step);
	demand(start->task_count <= SW_MESSAGE_TASKS_MAX &&
	       sw_message_start_length(start->task_count) == size,
	       "as many tasks as there is room for");
	for (i = 0; i < start->task_count; i++)
		demand_task(&start->tasks[i]);
}

static void demand_message(const union sw_message *message, size_t size)
{
	demand(size <= sizeof(*message) && sw_message_check(message, size),
	       "a whole message of the newest version");
	switch (message->header.type) {
	case SW_MESSAGE_STEP_START:
		demand_start(&message->start, size);
		break;
	case SW_MESSAGE_TASK_END:
		demand_step(&message->task_end.step);
		demand_task(&message->task_end.task);
		demand_finals(&message->task_end.final_values);
		break;
	case SW_MESSAGE_STEP_END:
		demand_step(&message->step_end.step);
		demand_finals(&message->step_end.final_values);
		break;
	default:
		demand(size == sizeof(message->header),
		       "nothing behind a bare header");
	}
}

static void try_message(const void *bytes, size_t got)
{
	union sw_message *message = malloc(sizeof(*message));
	size_t size = 0;

	if (!message)
		return;
	/* The recorder reads no more than this from the socket. */
	if (got <= sizeof(*message)) {
		memcpy(message, bytes, got);
		size = sw_message_upgrade(message, got);
		demand(size > 0 || !sw_message_check(bytes, got),
		       "a good message stays one");
	}
	if (size > 0)
		demand_message(message, size);
	free(message);
}
static void try_mode(const char *text)
{
	uint32_t mode = UINT32_MAX, period_msec = 0;

	if (sw_mode_parse(text, &mode, &period_msec))
		demand((mode <= SW_MODE_REPORT) != (period_msec > 0),
		       "either a mode or a period");
	else
		demand(mode == UINT32_MAX && period_msec == 0,
		       "nonsense sets nothing");
}

static void try_cgroup(const char *text, size_t room)
{
	uint16_t kind = UINT16_MAX;
	uint32_t number = UINT32_MAX;
	char *folder = malloc(room);	/* exposes overruns */

	if (folder &&
	    sw_task_cgroup_parse(text, folder, room, &kind, &number)) {
		demand_string(folder, room);
		demand(folder[0] == '/' && strstr(folder, "/step_") &&
		       !strchr(folder, '\n') && strncmp(folder, "/..", 3),
		       "a folder below a step's");
		demand(kind == SW_TASK_CGROUP_OWN ||
		       (kind == SW_TASK_CGROUP_SHARED && number == 0),
		       "a kind of cgroup, and its number");
	}
	free(folder);
}

static void try_cgroup_v1(const char *text, const char *controller,
			  size_t room)
{
	uint16_t kind = UINT16_MAX;
	uint32_t number = UINT32_MAX;
	char *folder = malloc(room);

	if (folder && sw_task_cgroup_parse_v1(text, controller, folder, room,
					      &kind, &number)) {
		demand_string(folder, room);
		demand(folder[0] == '/' && strstr(folder, "/uid_") &&
		       strstr(folder, "/step_") && !strchr(folder, '\n') &&
		       strncmp(folder, "/..", 3), "a folder of a step's");
		demand(kind == SW_TASK_CGROUP_OWN ||
		       (kind == SW_TASK_CGROUP_SHARED && number == 0),
		       "a kind of cgroup, and its number");
	}
	free(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	void *message = malloc(size ? size : 1);

	if (text && message) {
		memcpy(message, data, size);
		memcpy(text, data, size);
		text[size] = '\0';
		try_message(message, size);
		try_mode(text);
		try_cgroup(text, SW_MESSAGE_CGROUP_SIZE);
		try_cgroup(text, 1 + size % 64);
		try_cgroup_v1(text, NULL, SW_MESSAGE_CGROUP_SIZE);
		try_cgroup_v1(text, "memory", 1 + size % 64);
	}
	free(text);
	free(message);
	return 0;
}

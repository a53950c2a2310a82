/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of each task: the memory.* files of the task's own cgroup below the
 * step's, or the memory controller of cgroup v1.  Absent if tasks share a
 * cgroup or there is no controller.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum {
	CURRENT, PEAK, SWAP_CURRENT, EVENTS_MAX, EVENTS_OOM_KILL, COLUMNS
};

/* Open files for each read: two descriptors per task would be too many. */
enum { TEXT_SIZE = 512, PATH_SIZE = 64 };

/* File names; v1 has no file for swap alone. */
struct backend {
	const char *backend, *current, *peak, *swap_current, *events;
};

static const struct backend v2 = {
	.backend = "cgroup.v2",
	.current = "memory.current",
	.peak = "memory.peak",
	.swap_current = "memory.swap.current",
	.events = "memory.events",
};

static const struct backend v1 = {
	.backend = "cgroup.v1",
	.current = "memory.usage_in_bytes",
	.peak = "memory.max_usage_in_bytes",
	.events = "memory.oom_control",
};

static const struct sw_column columns[COLUMNS] = {
	[CURRENT] = { "memory.current", "bytes", SW_KIND_GAUGE,
		      "All memory of the task, including page cache." },
	[PEAK] = { "memory.peak", "bytes", SW_KIND_PEAK,
		   "Largest memory.current so far (kernel 5.19)." },
	[SWAP_CURRENT] = { "memory.swap.current", "bytes", SW_KIND_GAUGE,
			   "Swap in use." },
	[EVENTS_MAX] = { "events.max", "count", SW_KIND_COUNTER,
			 "Times its limit was hit." },
	[EVENTS_OOM_KILL] = { "events.oom_kill", "count", SW_KIND_COUNTER,
			      "Processes of it that were killed." },
};

struct state {
	const struct sw_target_task *tasks;
	size_t count;
	const struct backend *backend;
	int folder_fd;		/* of the step; owned by the target */
};

static enum sw_read_status slurp(const struct state *state,
				 const struct sw_target_task *task,
				 const char *name, char *text)
{
	char path[PATH_SIZE];

	if (sw_is_missing(task->cgroup_number) || !name)
		return SW_READ_ABSENT;
	snprintf(path, sizeof(path), "task_%" PRIu64 "/%s",
		 task->cgroup_number, name);
	return sw_kernfile_slurp(state->folder_fd, path, text, TEXT_SIZE);
}

static enum sw_read_status read_number(const struct state *state,
				       const struct sw_target_task *task,
				       const char *name, uint64_t *value)
{
	char text[TEXT_SIZE];
	const char *p = text;
	enum sw_read_status status = slurp(state, task, name, text);

	if (status != SW_READ_OK)
		return status;
	if (sw_kern_parse_u64(&p, value) < 0 || strcmp(p, "\n") != 0) {
		*value = SW_MISSING;
		return SW_READ_GARBAGE;
	}
	return SW_READ_OK;
}

static enum sw_read_status
open_backend(struct state *state, const struct backend *backend, int folder_fd)
{
	char text[TEXT_SIZE];
	size_t i;

	state->backend = backend;
	state->folder_fd = folder_fd;
	for (i = 0; i < state->count; i++) {
		if (slurp(state, &state->tasks[i], backend->current, text) ==
		    SW_READ_OK)
			return SW_READ_OK;
	}
	return SW_READ_ABSENT;
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	state->tasks = target->tasks;
	state->count = target->task_count;
	if (open_backend(state, &v2, target->cgroup_fd) == SW_READ_OK)
		return SW_READ_OK;
	return target->v1
		       ? open_backend(state, &v1, target->v1->fd[SW_V1_MEMORY])
		       : SW_READ_ABSENT;
}

static const char *find_backend(const void *memory)
{
	const struct state *state = memory;

	return state->backend->backend;
}

static enum sw_read_status read_task(const struct state *state,
				     const struct sw_target_task *task,
				     uint64_t *values)
{
	static const struct sw_kernkey keys[] = {
		{ "max", EVENTS_MAX },
		{ "oom_kill", EVENTS_OOM_KILL },
	};
	enum sw_read_status status;
	char text[TEXT_SIZE];

	read_number(state, task, state->backend->peak, &values[PEAK]);
	read_number(state, task, state->backend->swap_current,
		    &values[SWAP_CURRENT]);
	status = slurp(state, task, state->backend->events, text);
	if (status == SW_READ_OK)
		status = sw_kern_parse_keyed(text, keys, 2, values);
	return status == SW_READ_ABSENT ? SW_READ_OK : status;
}

/* A task that has exited has no row. */
static enum sw_read_status read_rows(void *memory,
				     const struct sw_target *target,
				     struct sw_rows *rows)
{
	struct state *state = memory;
	uint64_t current, *values;
	enum sw_read_status status, last = SW_READ_GONE;
	size_t i;

	(void)target;
	for (i = 0; i < state->count; i++) {
		current = SW_MISSING;
		status = read_number(state, &state->tasks[i],
				     state->backend->current, &current);
		if (status == SW_READ_GARBAGE)
			return status;
		if (status != SW_READ_OK)
			continue;
		last = SW_READ_OK;
		values = sw_rows_add(rows, i);
		if (!values)
			continue;
		values[CURRENT] = current;
		status = read_task(state, &state->tasks[i], values);
		if (status == SW_READ_GARBAGE)
			return status;
	}
	return last;
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	const struct state *state = memory;

	if (index >= state->count)
		return false;
	strcpy(subject->kind, "task");
	snprintf(subject->name, sizeof(subject->name), "%" PRIu64,
		 state->tasks[index].rank);
	return true;
}

const struct sw_source sw_src_task_memory = {
	.name = "task_memory",
	.backend = "cgroup.v2",
	.find_backend = find_backend,
	.scope = SW_SCOPE_TASK,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = SW_SUBJECTS_MAX,
	.read_rows = read_rows,
	.describe = describe,
	.absence = "no task has a cgroup with a memory controller of its own",
};

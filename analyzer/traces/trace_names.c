/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the number of a workflow's task: a table with open addressing. */
#include "analyzer/traces/trace_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/keyed.h"
#include "common/grow.h"

struct sw_trace_names {
	/* Numbers of groups, one more; 0 is free.  A power of two of them. */
	size_t *slots;
	size_t slot_count;
};

enum { SLOTS_FIRST = 256 };

struct sw_trace_names *sw_trace_names_new(void)
{
	struct sw_trace_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->slot_count = SLOTS_FIRST;
	names->slots = calloc(names->slot_count, sizeof(*names->slots));
	if (!names->slots) {
		free(names);
		return NULL;
	}
	return names;
}

void sw_trace_names_free(struct sw_trace_names *names)
{
	if (!names)
		return;
	free(names->slots);
	free(names);
}

/* A hash of both texts, each with its end. */
static uint64_t hash(const char *workflow, const char *task)
{
	const char *const texts[] = { workflow, task };
	uint64_t value = SW_FNV_FIRST;
	size_t i;

	for (i = 0; i < 2; i++)
		value = sw_fnv(value, texts[i], strlen(texts[i]) + 1);
	return value;
}

static size_t find_slot(const struct sw_trace_names *names,
			const struct sw_trace *trace, const char *workflow,
			const char *task)
{
	size_t mask = names->slot_count - 1;
	size_t slot = (size_t)hash(workflow, task) & mask;

	for (; names->slots[slot]; slot = (slot + 1) & mask) {
		const struct sw_trace_group *group =
			&trace->groups[names->slots[slot] - 1];

		if (!strcmp(group->task, task) &&
		    !strcmp(trace->workflows[group->workflow], workflow))
			break;
	}
	return slot;
}

static int grow(struct sw_trace_names *names, const struct sw_trace *trace)
{
	size_t old_count = names->slot_count, i;
	size_t *old = names->slots;

	names->slots = calloc(2 * old_count, sizeof(*names->slots));
	if (!names->slots) {
		names->slots = old;
		return -1;
	}
	names->slot_count = 2 * old_count;
	for (i = 0; i < trace->group_count; i++) {
		const struct sw_trace_group *group = &trace->groups[i];

		names->slots[find_slot(names, trace,
				       trace->workflows[group->workflow],
				       group->task)] = i + 1;
	}
	free(old);
	return 0;
}

/* Traces have a handful of workflows; the latest is the likeliest. */
static int get_workflow(struct sw_trace *trace, const char *name,
			size_t *workflow)
{
	size_t i = trace->workflow_count;

	while (i-- > 0) {
		if (!strcmp(trace->workflows[i], name)) {
			*workflow = i;
			return 0;
		}
	}
	if (sw_grow(&trace->workflows, trace->workflow_count,
		    sizeof(*trace->workflows)) < 0)
		return -1;
	trace->workflows[trace->workflow_count] = strdup(name);
	if (!trace->workflows[trace->workflow_count])
		return -1;
	*workflow = trace->workflow_count++;
	return 0;
}

static int add_group(struct sw_trace *trace, const char *workflow,
		     const char *task)
{
	struct sw_trace_group *group;

	if (sw_grow(&trace->groups, trace->group_count,
		    sizeof(*trace->groups)) < 0)
		return -1;
	group = &trace->groups[trace->group_count];
	if (get_workflow(trace, workflow, &group->workflow) < 0)
		return -1;
	group->task = strdup(task);
	if (!group->task)
		return -1;
	trace->group_count++;
	return 0;
}

int sw_trace_names_get(struct sw_trace_names *names, struct sw_trace *trace,
		       const char *workflow, const char *task, size_t *group)
{
	size_t slot = find_slot(names, trace, workflow, task);

	if (!names->slots[slot]) {
		if (add_group(trace, workflow, task) < 0)
			return -1;
		names->slots[slot] = trace->group_count;
		*group = trace->group_count - 1;
		/* Half full at most, so that a free slot is near. */
		if (2 * trace->group_count > names->slot_count)
			return grow(names, trace);
		return 0;
	}
	*group = names->slots[slot] - 1;
	return 0;
}

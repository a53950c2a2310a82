/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Look up the group number of a workflow's task. */
#include "analyzer/traces/trace_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/keyed.h"
#include "common/grow.h"

struct sw_trace_names {
	struct sw_keyed names;
};

struct name {
	struct sw_keyed_entry entry;
	size_t group;	/* 1-based; 0: none yet */
	char key[];	/* workflow and task, each with its NUL */
};

struct sw_trace_names *sw_trace_names_new(void)
{
	return calloc(1, sizeof(struct sw_trace_names));
}

void sw_trace_names_free(struct sw_trace_names *names)
{
	if (names)
		sw_keyed_fini(&names->names, NULL);
	free(names);
}

/* NULL (ENOMEM). */
static struct name *need_name(struct sw_trace_names *names,
			      const char *workflow, const char *task)
{
	size_t size = strlen(workflow) + strlen(task) + 2;
	char *key = malloc(size);
	struct name *name;

	if (!key)
		return NULL;
	strcpy(stpcpy(key, workflow) + 1, task);
	name = sw_keyed_need(&names->names, key, size, sizeof(*name),
			     offsetof(struct name, key));
	free(key);
	return name;
}

/* Traces have few workflows; the latest is the most likely. */
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
	struct name *name = need_name(names, workflow, task);

	if (!name)
		return -1;
	if (!name->group) {
		if (add_group(trace, workflow, task) < 0)
			return -1;
		name->group = trace->group_count;
	}
	*group = name->group - 1;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same performance counters on each task of a step. */
#include "recorder/sources/pmu/pmu_tasks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/pmu/pmu_cost.h"
#include "recorder/sources/pmu/pmu_names.h"

/* A group, and the columns of its counters */
struct column_group {
	struct sw_pmu_group group;
	unsigned column[SW_PMU_GROUP_MAX];
};

struct sw_pmu_task {
	uint64_t rank;
	unsigned group_count;
	struct column_group *groups;	/* part of one array for all tasks */
};

/* Number of descriptors for all steps of this process */
static size_t descriptors;

/* Return the number of descriptors for a further step; leave some to others. */
static size_t find_room(void)
{
	struct rlimit limit;
	size_t all;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 0;
	all = (size_t)(limit.rlim_cur / 4 * 3);
	return all > descriptors ? all - descriptors : 0;
}

static size_t count_events(const struct sw_pmu_plan *plan, unsigned groups)
{
	size_t i, count = 0;

	for (i = 0; i < plan->event_count; i++)
		count += plan->events[i].group < groups;
	return count;
}

/* Leave out groups of all tasks before leaving out tasks. */
static void fit(struct sw_pmu_tasks *tasks, size_t wanted)
{
	const struct sw_pmu_plan *plan = tasks->plan;
	size_t room = find_room(), one;

	tasks->groups = plan->group_count;
	while (tasks->groups > 1 &&
	       count_events(plan, tasks->groups) * wanted > room)
		tasks->groups--;
	one = count_events(plan, tasks->groups);
	tasks->count = room / one < wanted ? room / one : wanted;
	if (tasks->groups < plan->group_count || tasks->count < wanted)
		snprintf(tasks->reason, sizeof(tasks->reason),
			 "too few file descriptors: %zu of %zu tasks and %u of "
			 "%u groups of counters", tasks->count, wanted,
			 tasks->groups, plan->group_count);
}

static int open_choice(struct sw_pmu_group *group,
		       const struct sw_pmu_choice *choice,
		       const struct perf_event_attr *given, pid_t pid)
{
	struct perf_event_attr attr = {
		.type = choice->type,
		.config = choice->config,
		.exclude_kernel = !choice->has_kernel,
		.exclude_hv = !choice->has_kernel,
	};

	if (given)
		attr = *given;
	else if (choice->type == SW_PMU_BY_NAME &&
	    sw_pmu_encode(choice->name, &attr) < 0) {
		errno = ENOENT;
		return -1;
	}
	return sw_pmu_group_add(group, &attr, pid);
}

/* Return whether the failure has nothing to do with the event. */
static bool is_final(int why)
{
	return why == EMFILE || why == ENFILE || why == ESRCH ||
	       why == ENOMEM;
}

/* Return whether an earlier event, of any group, provides the column. */
static bool is_taken(const struct sw_pmu_tasks *tasks, size_t index)
{
	const struct sw_pmu_event *events = tasks->plan->events;
	size_t i;

	for (i = 0; i < index; i++) {
		if (tasks->won[i] && events[i].column == events[index].column)
			return true;
	}
	return false;
}

/* Open an event by the first task's choice.  Return 0 or its first errno. */
static int open_event(struct sw_pmu_tasks *tasks, size_t index,
		      struct sw_pmu_task *task, pid_t pid, bool is_first)
{
	const struct sw_pmu_event *event = &tasks->plan->events[index];
	const struct perf_event_attr *given =
		tasks->plan->attrs ? &tasks->plan->attrs[index] : NULL;
	struct column_group *to = &task->groups[event->group];
	unsigned i, begin = 0, end = SW_PMU_CHOICES_MAX;
	int why = 0;

	if (!is_first) {
		begin = tasks->won[index] - 1U;
		end = tasks->won[index];
	}
	for (i = begin; i < end && event->choice[i].name; i++) {
		if (open_choice(&to->group, &event->choice[i], given, pid) ==
		    0) {
			to->column[to->group.count - 1] = event->column;
			tasks->won[index] = (unsigned char)(i + 1);
			descriptors++;
			return 0;
		}
		why = why && !is_final(errno) ? why : errno;
		if (is_final(errno))
			break;
	}
	return why;
}

static void close_task(struct sw_pmu_task *task)
{
	size_t i;

	for (i = 0; i < task->group_count; i++) {
		descriptors -= task->groups[i].group.count;
		sw_pmu_group_close(&task->groups[i].group);
	}
}

/* Return 0 if at least one counter was opened. */
static int open_task(struct sw_pmu_tasks *tasks, struct sw_pmu_task *task,
		     pid_t pid, bool is_first)
{
	const struct sw_pmu_event *events = tasks->plan->events;
	unsigned opened = 0;
	int why, first = 0;
	size_t i;

	for (i = 0; i < tasks->plan->event_count; i++) {
		if (events[i].group >= tasks->groups || is_taken(tasks, i) ||
		    (!is_first && !tasks->won[i]))
			continue;
		why = open_event(tasks, i, task, pid, is_first);
		opened += why == 0;
		first = first ? first : why;
		/*
		 * A task counts completely or not at all, and if the first
		 * event fails, the others usually do.
		 */
		if (is_final(why) ||
		    (!opened && !tasks->plan->is_first_optional)) {
			close_task(task);
			return why;
		}
	}
	if (is_first)
		tasks->events = opened;
	return opened ? 0 : first;
}

static bool is_guest(int proc_fd)
{
	struct sw_kernfile file;
	char text[8192];
	ssize_t size;

	if (sw_kernfile_open(&file, proc_fd, "cpuinfo") != SW_READ_OK)
		return false;
	/* Only the first processor's flags; large nodes have much more. */
	size = pread(file.fd, text, sizeof(text) - 1, 0);
	sw_kernfile_close(&file);
	text[size > 0 ? size : 0] = '\0';
	return strstr(text, " hypervisor") != NULL;
}

static void explain_rights(struct sw_pmu_tasks *tasks)
{
	char text[16];

	if (sw_kernfile_slurp(tasks->proc_fd, "sys/kernel/perf_event_paranoid",
			      text, sizeof(text)) != SW_READ_OK)
		strcpy(text, "?");
	text[strspn(text, "-0123456789?")] = '\0';
	snprintf(tasks->reason, sizeof(tasks->reason),
		 "counting is not permitted (kernel.perf_event_paranoid is %s, "
		 "2 is enough; a container may also forbid it)", text);
}

static void explain(struct sw_pmu_tasks *tasks, int why)
{
	const char *text = strerror(why);

	switch (why) {
	case EACCES:
	case EPERM:
		explain_rights(tasks);
		return;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		text = is_guest(tasks->proc_fd) ?
			"this virtual machine has no performance counters" :
			"the kernel does not support the performance counters "
			"of this processor";
		break;
	case EMFILE:
	case ENFILE:
		text = "no more file descriptors for counters";
		break;
	case EBUSY:
		text = "the performance counters are in use";
		break;
	case ESRCH:
		text = "the task had ended";
		break;
	default:
		break;
	}
	snprintf(tasks->reason, sizeof(tasks->reason), "%s", text);
}

/* Open all tasks.  Return the number of tasks that are counted. */
static size_t open_all(struct sw_pmu_tasks *tasks,
		       const struct sw_target *target)
{
	size_t i, counted = 0;
	int why, first = 0;

	for (i = 0; i < tasks->count; i++) {
		tasks->task[i].rank = target->tasks[i].rank;
		why = open_task(tasks, &tasks->task[i], target->tasks[i].pid,
				counted == 0);
		counted += why == 0;
		first = first ? first : why;
		/* The next one would fail, too. */
		if (why && (!counted || !is_final(why)) && why != ESRCH)
			break;
	}
	if (first)
		explain(tasks, first);
	if (first && counted)
		snprintf(tasks->reason + strlen(tasks->reason),
			 sizeof(tasks->reason) - strlen(tasks->reason),
			 ": only %zu of %zu tasks", counted,
			 target->task_count);
	return counted;
}

static int allocate(struct sw_pmu_tasks *tasks)
{
	unsigned group_count = tasks->plan->group_count;
	struct column_group *groups;
	size_t i;

	tasks->task = calloc(tasks->count, sizeof(*tasks->task));
	groups = calloc(tasks->count * group_count, sizeof(*groups));
	if (!tasks->task || !groups) {
		free(groups);
		return -1;
	}
	for (i = 0; i < tasks->count; i++) {
		tasks->task[i].group_count = group_count;
		tasks->task[i].groups = groups + i * group_count;
	}
	return 0;
}

enum sw_read_status sw_pmu_tasks_open(struct sw_pmu_tasks *tasks,
				      const struct sw_pmu_plan *plan,
				      const struct sw_target *target)
{
	memset(tasks, 0, sizeof(*tasks));
	tasks->plan = plan;
	tasks->proc_fd = target->proc_fd;
	if (target->is_late) {
		snprintf(tasks->reason, sizeof(tasks->reason),
			 "the tasks ran before counters could be attached");
		return SW_READ_ABSENT;
	}
	if (target->task_count == 0 || plan->event_count > SW_PMU_EVENTS_MAX)
		return SW_READ_ABSENT;
	fit(tasks, target->task_count);
	if (tasks->count == 0)
		return SW_READ_ABSENT;
	if (allocate(tasks) < 0 || open_all(tasks, target) == 0)
		return SW_READ_ABSENT;
	sw_pmu_cost_open(tasks);
	return SW_READ_OK;
}

static void put_group(const struct column_group *from, uint64_t *values)
{
	unsigned i;

	for (i = 0; i < from->group.count; i++)
		values[from->column[i]] = sw_pmu_group_value(&from->group, i);
}

/* Return true if a group could be read. */
static bool read_task(const struct sw_pmu_plan *plan,
		      struct sw_pmu_task *task, uint64_t *values,
		      enum sw_read_status *worst)
{
	enum sw_read_status status;
	bool has_any = false;
	unsigned i;

	for (i = 0; i < plan->group_count; i++) {
		struct sw_pmu_group *group = &task->groups[i].group;

		if (group->count == 0)
			continue;
		status = sw_pmu_group_read(group);
		if (status != SW_READ_OK) {
			*worst = status;
			continue;
		}
		has_any = true;
		put_group(&task->groups[i], values);
		values[plan->enabled_column] = sw_max_u64(
			values[plan->enabled_column],
			group->told_enabled_nsec / SW_NSEC_PER_USEC);
		if (plan->running_column[i] != SW_PMU_NONE)
			values[plan->running_column[i]] =
				group->running_nsec / SW_NSEC_PER_USEC;
	}
	return has_any;
}

/* Stop counting: the next read returns GONE. */
static void give_up(struct sw_pmu_tasks *tasks)
{
	size_t i;

	for (i = 0; i < tasks->count; i++)
		close_task(&tasks->task[i]);
	snprintf(tasks->reason, sizeof(tasks->reason),
		 "stopped, so as not to slow down a step that starts many "
		 "programs or threads");
}

enum sw_read_status sw_pmu_tasks_read(void *memory,
				      const struct sw_target *target,
				      struct sw_rows *rows)
{
	struct sw_pmu_tasks *tasks = memory;
	const struct sw_pmu_plan *plan = tasks->plan;
	enum sw_read_status worst = SW_READ_GONE;
	uint64_t enabled = 0, switches = SW_MISSING;
	size_t i, counted = 0;

	(void)target;
	for (i = 0; i < tasks->count; i++) {
		uint64_t values[SW_TABLE_COLUMNS_MAX], *row;

		sw_set_missing(values, SW_TABLE_COLUMNS_MAX);
		if (!read_task(plan, &tasks->task[i], values, &worst))
			continue;
		counted++;
		enabled += values[plan->enabled_column] * SW_NSEC_PER_USEC;
		if (plan->switches_column != SW_PMU_NONE)
			switches = sw_sum_u64(switches,
				values[plan->switches_column]);
		row = sw_rows_add(rows, i);
		if (row)
			memcpy(row, values,
			       rows->column_count * sizeof(*row));
	}
	if (!counted)
		return worst;
	if (sw_pmu_cost_is_high(tasks, enabled, switches,
				sw_clock_boottime_usec()))
		give_up(tasks);
	return SW_READ_OK;
}

bool sw_pmu_tasks_is_due(void *memory)
{
	return sw_pmu_cost_is_due(memory, sw_clock_boottime_usec());
}

bool sw_pmu_tasks_describe(void *memory, uint64_t index,
			   struct sw_subject *subject)
{
	const struct sw_pmu_tasks *tasks = memory;
	const struct sw_pmu_plan *plan = tasks->plan;
	size_t i, length = 0;

	if (index >= tasks->count)
		return false;
	snprintf(subject->kind, sizeof(subject->kind), "task");
	if (sw_is_missing(tasks->task[index].rank))
		snprintf(subject->name, sizeof(subject->name), "command");
	else
		snprintf(subject->name, sizeof(subject->name),
			 "rank %" PRIu64, tasks->task[index].rank);
	for (i = 0; i < plan->event_count; i++) {
		const char *name;

		if (!tasks->won[i])
			continue;
		name = plan->events[i].choice[tasks->won[i] - 1].name;
		if (length + strlen(name) + 2 > sizeof(subject->detail))
			break;
		length += (size_t)snprintf(subject->detail + length,
			sizeof(subject->detail) - length, "%s%s",
			length ? " " : "", name);
	}
	return true;
}

const char *sw_pmu_tasks_reason(const void *memory, enum sw_read_status status)
{
	const struct sw_pmu_tasks *tasks = memory;

	if (status == SW_READ_ABSENT && !tasks->reason[0])
		return "no task could be counted";
	return tasks->reason;
}

void sw_pmu_tasks_close(void *memory)
{
	struct sw_pmu_tasks *tasks = memory;
	size_t i;

	for (i = 0; tasks->task && i < tasks->count; i++)
		close_task(&tasks->task[i]);
	if (tasks->task && tasks->count)
		free(tasks->task[0].groups);
	free(tasks->task);
	tasks->task = NULL;
	tasks->count = 0;
}

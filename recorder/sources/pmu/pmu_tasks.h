/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same performance counters on each task of a step: which ones, on which
 * tasks (as descriptors permit), and for how long.  An inherited counter makes
 * each start of a thread or process more expensive, so counting stops if there
 * are many.
 */
#ifndef SW_RECORDER_PMU_TASKS_H
#define SW_RECORDER_PMU_TASKS_H

#include "recorder/sources/pmu/pmu.h"

enum {
	SW_PMU_GROUPS_MAX = 8,
	SW_PMU_EVENTS_MAX = 32,
	SW_PMU_CHOICES_MAX = 4,
	SW_PMU_BY_NAME = 0xffff,	/* name is libpfm4's */
};

/* A way to count something */
struct sw_pmu_choice {
	const char *name;	/* as in perf(1) or libpfm4; NULL: none */
	uint32_t type;		/* PERF_TYPE_*, or SW_PMU_BY_NAME */
	uint64_t config;
	bool has_kernel;	/* also in the kernel; privileged */
};

struct sw_pmu_event {
	unsigned group, column;
	struct sw_pmu_choice choice[SW_PMU_CHOICES_MAX]; /* first that opens */
};

struct sw_pmu_plan {
	const struct sw_pmu_event *events;
	/* NULL, or attributes instead of choices, one per event. */
	const struct perf_event_attr *attrs;
	size_t event_count;
	bool is_first_optional;	/* continue without the first event */
	unsigned group_count;	/* most important first */
	unsigned enabled_column;	/* enabled time, usec */
	/* Running time; or SW_PMU_NONE */
	unsigned running_column[SW_PMU_GROUPS_MAX];
	unsigned switches_column;	/* SW_PMU_NONE: not counted */
};

#define SW_PMU_NONE (~0U)

struct sw_pmu_task;

/* Zeroed, it is closed. */
struct sw_pmu_tasks {
	const struct sw_pmu_plan *plan;
	struct sw_pmu_task *task;
	size_t count;
	unsigned groups;		/* that descriptors suffice for */
	unsigned events;		/* opened per task */
	int proc_fd;
	/* Per event: 1 + index of the choice; 0: none */
	unsigned char won[SW_PMU_EVENTS_MAX];
	char reason[160];		/* what is missing, and why; "" */
	/* Starts of threads and processes since, and at, the last read. */
	uint64_t pid_max, last_pid, starts, last_usec;
	uint64_t enabled_nsec, switches;
	unsigned patience, wait;	/* checks to skip */
};

/* Return ABSENT if no task could be counted. */
enum sw_read_status sw_pmu_tasks_open(struct sw_pmu_tasks *tasks,
				      const struct sw_pmu_plan *plan,
				      const struct sw_target *target);

/*
 * Further functions of sources whose state is a struct sw_pmu_tasks: read a row
 * for each task, by its index.  GONE: it was stopped, see reason.
 */
enum sw_read_status sw_pmu_tasks_read(void *tasks,
				      const struct sw_target *target,
				      struct sw_rows *rows);

/*
 * Check at low cost whether so many programs or threads were started on this
 * node that the counters should be read, and stopped if this step started them.
 */
bool sw_pmu_tasks_is_due(void *tasks);

/* Describe the task, "rank 3", and the names of its events. */
bool sw_pmu_tasks_describe(void *tasks, uint64_t index,
			   struct sw_subject *subject);

const char *sw_pmu_tasks_reason(const void *tasks, enum sw_read_status status);
void sw_pmu_tasks_close(void *tasks);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same performance counters on each task of a step: which, on whom as far
 * as file descriptors go, and until they cost more than they are worth.  An
 * inherited counter is paid for at each start of a thread or process, so it
 * is ended where these are many.
 */
#ifndef SW_RECORDER_PMU_TASKS_H
#define SW_RECORDER_PMU_TASKS_H

#include "recorder/sources/pmu/pmu.h"

enum {
	SW_PMU_GROUPS_MAX = 8,
	SW_PMU_EVENTS_MAX = 32,
	SW_PMU_CHOICES_MAX = 4,
	SW_PMU_BY_NAME = 0xffff,	/* the name is libpfm4's */
};

/* One way to count something. */
struct sw_pmu_choice {
	const char *name;	/* as perf(1) or libpfm4 has it; NULL: none */
	uint32_t type;		/* PERF_TYPE_*, or SW_PMU_BY_NAME */
	uint64_t config;
	bool has_kernel;	/* counts in the kernel, too: needs rights */
};

struct sw_pmu_event {
	unsigned group, column;
	struct sw_pmu_choice choice[SW_PMU_CHOICES_MAX]; /* first that opens */
};

struct sw_pmu_plan {
	const struct sw_pmu_event *events;
	/* NULL, or what the choices are made of, one of each event. */
	const struct perf_event_attr *attrs;
	size_t event_count;
	bool is_first_optional;	/* others can be had without the first event */
	unsigned group_count;	/* the first are the most important */
	unsigned enabled_column;	/* time they should count in, usec */
	unsigned running_column[SW_PMU_GROUPS_MAX]; /* and did; SW_PMU_NONE */
	unsigned switches_column;	/* SW_PMU_NONE: not counted */
};

#define SW_PMU_NONE (~0U)

struct sw_pmu_task;

/* Zeroed, it is closed. */
struct sw_pmu_tasks {
	const struct sw_pmu_plan *plan;
	struct sw_pmu_task *task;
	size_t count;
	unsigned groups;		/* for which there are descriptors */
	unsigned events;		/* of one task, of those opened */
	int proc_fd;
	unsigned char won[SW_PMU_EVENTS_MAX];	/* per event: 1 + the choice; 0: none */
	char reason[160];		/* what is missing, and why; "" */
	/* Starts of threads and processes since the last read, and then. */
	uint64_t pid_max, last_pid, starts, last_usec;
	uint64_t enabled_nsec, switches;
	unsigned patience, wait;	/* looks that are not taken */
};

/* ABSENT where no task could be counted. */
enum sw_read_status sw_pmu_tasks_open(struct sw_pmu_tasks *tasks,
				      const struct sw_pmu_plan *plan,
				      const struct sw_target *target);

/*
 * The rest of a source whose state is a struct sw_pmu_tasks: a row for each
 * task, by its place.  GONE: it was ended, see reason ...
 */
enum sw_read_status sw_pmu_tasks_read(void *tasks,
				      const struct sw_target *target,
				      struct sw_rows *rows);

/*
 * ... cheap: have so many programs or threads begun on this node of late
 * that it should be read, and ended where it was this step that began them?
 */
bool sw_pmu_tasks_is_due(void *tasks);

/* ... "rank 3", and what its columns count. */
bool sw_pmu_tasks_describe(void *tasks, uint64_t index,
			   struct sw_subject *subject);

const char *sw_pmu_tasks_reason(const void *tasks, enum sw_read_status status);
void sw_pmu_tasks_close(void *tasks);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of the kernel's performance counters on a process and all that will
 * come of it, or on a part of the node.  A group is on the processor as a whole
 * or not at all, is read at once, and counts from the process's next exec, or,
 * of the node, at once.  Where more is to be
 * counted than the processor can, the kernel gives the groups turns: each
 * says how long it should have counted and how long it did.
 *
 * PAPI is not used for it, because with PAPI_INHERIT it reads event for event
 * (each an interrupt to every processor that runs a thread) and does not tell
 * how long it counted; its tables of events know less than libpfm4's, which
 * they are made of (pmu_names.h).
 */
#ifndef SW_RECORDER_PMU_H
#define SW_RECORDER_PMU_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/sources/source.h"

enum { SW_PMU_GROUP_MAX = 8 };

/* The three things asked of the kernel; a simulated PMU has its own. */
struct sw_pmu_calls {
	int (*open)(struct perf_event_attr *attr, pid_t pid, int cpu,
		    int group_fd);
	ssize_t (*read)(int fd, void *bytes, size_t size);
	void (*close)(int fd);
};

/* NULL: the kernel's again.  For tests. */
void sw_pmu_use(const struct sw_pmu_calls *calls);

/*
 * The first event of a machine costs some 10 ms, in which the kernel waits for
 * all processors, and the first of each kind that the kernel itself counts has
 * its code patched under all of them, as the last one's end does: have one of
 * each, of this process, that counts nothing and stays.
 */
void sw_pmu_keep(void);

/* A group; zeroed, it is empty. */
struct sw_pmu_group {
	unsigned count;
	int fd[SW_PMU_GROUP_MAX];	/* the first one leads */
	uint64_t raw[SW_PMU_GROUP_MAX];		/* as last used */
	uint64_t value[SW_PMU_GROUP_MAX];	/* corrected */
	uint64_t enabled_nsec, running_nsec;	/* as last used */
	uint64_t told_enabled_nsec;		/* as last read */
	bool has_counted;
};

/*
 * One more event.  attr has type and config, and what is excluded; the rest is
 * set here.  0, or -1 with errno of perf_event_open(2).
 */
int sw_pmu_group_add(struct sw_pmu_group *group,
		     const struct perf_event_attr *attr, pid_t pid);

/*
 * The same of what is not of any process, as memory controllers are: on behalf
 * of all, where the kernel has this CPU read it.
 */
int sw_pmu_group_add_node(struct sw_pmu_group *group,
			  const struct perf_event_attr *attr, int cpu);

/*
 * Bring the values up to date: what was counted since the last time, times
 * the time it should have been counted in over the time it was.  GARBAGE
 * where the kernel's answer was not of the known form; ABSENT where it gave
 * none; what is in the group stays then.
 */
enum sw_read_status sw_pmu_group_read(struct sw_pmu_group *group);

/* SW_MISSING as long as it has had no turn although it should have. */
uint64_t sw_pmu_group_value(const struct sw_pmu_group *group, unsigned event);

void sw_pmu_group_close(struct sw_pmu_group *group);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of kernel performance counters on a process and all its descendants,
 * or on a part of the node.  A group is scheduled as a whole or not at all, is
 * read at once, and counts from the process's next exec, or for the node
 * immediately.  If there are more events than counters, the kernel multiplexes
 * the groups: each has the time it was enabled and the time it was running.
 *
 * PAPI is not used for this, because with PAPI_INHERIT it reads each event
 * separately (an interrupt to every processor that runs a thread) and does not
 * return the running time; its tables of events contain less than libpfm4's,
 * from which they are made (pmu_names.h).
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

/* System calls; replaced by a simulated PMU in tests */
struct sw_pmu_calls {
	int (*open)(struct perf_event_attr *attr, pid_t pid, int cpu,
		    int group_fd);
	ssize_t (*read)(int fd, void *bytes, size_t size);
	void (*close)(int fd);
};

/* Replace the calls for tests; NULL: restore them. */
void sw_pmu_use(const struct sw_pmu_calls *calls);

/*
 * Keep an event of each kind open, of this process, that counts nothing.  The
 * first event of a machine costs some 10 ms, in which the kernel waits for all
 * processors, and the first and last software event of each kind make the
 * kernel patch its code on all of them.
 */
void sw_pmu_keep(void);

/* A group; zeroed, it is empty. */
struct sw_pmu_group {
	unsigned count;
	int fd[SW_PMU_GROUP_MAX];	/* the first is the leader */
	uint64_t raw[SW_PMU_GROUP_MAX];		/* of the last use */
	uint64_t value[SW_PMU_GROUP_MAX];	/* scaled */
	uint64_t enabled_nsec, running_nsec;	/* of the last use */
	uint64_t told_enabled_nsec;		/* of the last read */
	bool has_counted;
};

/*
 * Add an event.  attr has type, config and exclusions; the rest is set here.
 * Return 0, or -1 with errno of perf_event_open(2).
 */
int sw_pmu_group_add(struct sw_pmu_group *group,
		     const struct perf_event_attr *attr, pid_t pid);

/*
 * Add an event that belongs to no process, like those of memory controllers:
 * counts for all, and is read on this CPU.
 */
int sw_pmu_group_add_node(struct sw_pmu_group *group,
			  const struct perf_event_attr *attr, int cpu);

/*
 * Update the values: add the count since the last read, scaled by enabled over
 * running time.  Return GARBAGE if the format was unexpected, ABSENT if the
 * kernel returned nothing; then the values are unchanged.
 */
enum sw_read_status sw_pmu_group_read(struct sw_pmu_group *group);

/* Return the value, or SW_MISSING if the group was enabled but never ran. */
uint64_t sw_pmu_group_value(const struct sw_pmu_group *group, unsigned event);

void sw_pmu_group_close(struct sw_pmu_group *group);

#endif

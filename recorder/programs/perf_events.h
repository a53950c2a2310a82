/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf's task events of a process and of all that comes of it, as any user
 * may have them of his own processes where kernel.perf_event_paranoid is 2 or
 * less.  An inherited event can only be read through a ring per CPU, so every
 * process carries one event for each CPU (two with the switches), each of
 * which costs its start and end a microsecond: where that would be too many,
 * creation fails.  Not to be polled: the kernel wakes the poller at every end
 * of a process.
 */
#ifndef SW_RECORDER_PERF_EVENTS_H
#define SW_RECORDER_PERF_EVENTS_H

#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"
#include "recorder/programs/perf_ring.h"

enum { SW_PERF_EVENTS_MAX = 64 };

/* One event and its ring; what is in the ring comes from one CPU. */
struct sw_perf_event {
	int fd;
	unsigned cpu;		/* its place in cpu_number */
	void *map;
	size_t map_size;
	struct sw_perf_ring ring;
};

struct sw_perf_events {
	struct sw_perf_event event[SW_PERF_EVENTS_MAX];
	unsigned count;
	/* The first cpu_count are of fork, comm and exit, the rest switches. */
	unsigned cpu_count;
	unsigned cpu_number[SW_PERF_EVENTS_MAX];
	bool has_all_cpus;	/* where the processes can come to be at all */
	bool has_switches;
};

/* pid and all its future children.  0, or -1 with *error and all closed. */
int sw_perf_events_open(struct sw_perf_events *events, pid_t pid,
			struct sw_error *error);
void sw_perf_events_close(struct sw_perf_events *events);

/* Take over what the kernel has written; give back what was read. */
void sw_perf_events_load(struct sw_perf_events *events);
void sw_perf_events_store(struct sw_perf_events *events);

/* No more records of switches, for good. */
void sw_perf_events_stop_switches(struct sw_perf_events *events);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open perf's task events for a process and its descendants, which any user may
 * do for their own processes if kernel.perf_event_paranoid is 2 or less.
 * Inherited events can only be read through a ring per CPU, so every process
 * carries one event for each CPU (two with switches), each of which adds a
 * microsecond to its start and exit.  If that would be too many, creation
 * fails.  Not to be polled: the kernel wakes the poller at every exit.
 */
#ifndef SW_RECORDER_PERF_EVENTS_H
#define SW_RECORDER_PERF_EVENTS_H

#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"
#include "recorder/programs/perf_ring.h"

enum { SW_PERF_EVENTS_MAX = 64 };

/* An event and its ring; all records of a ring come from one CPU. */
struct sw_perf_event {
	int fd;
	unsigned cpu;		/* index into cpu_number */
	void *map;
	size_t map_size;
	struct sw_perf_ring ring;
};

struct sw_perf_events {
	struct sw_perf_event event[SW_PERF_EVENTS_MAX];
	unsigned count;
	/* The first cpu_count are fork, comm and exit, others switches. */
	unsigned cpu_count;
	unsigned cpu_number[SW_PERF_EVENTS_MAX];
	bool has_all_cpus;	/* all CPUs where the processes may run */
	bool has_switches;
};

/* Open for pid and all its future children.  Return 0, or -1 with *error. */
int sw_perf_events_open(struct sw_perf_events *events, pid_t pid,
			struct sw_error *error);
void sw_perf_events_close(struct sw_perf_events *events);

/* Load the kernel's ring heads; store the tails after reading. */
void sw_perf_events_load(struct sw_perf_events *events);
void sw_perf_events_store(struct sw_perf_events *events);

/* Stop recording switches permanently. */
void sw_perf_events_stop_switches(struct sw_perf_events *events);

#endif

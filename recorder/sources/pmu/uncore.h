/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find counters outside the cores, like those of memory controllers, in sysfs:
 * their names, the CPUs that read them, and the encoding of their named events
 * (Documentation/ABI/testing/ sysfs-bus-event_source-devices-events and
 * -format).
 */
#ifndef SW_RECORDER_UNCORE_H
#define SW_RECORDER_UNCORE_H

#include <stddef.h>
#include <stdint.h>

#include "recorder/sources/pmu/pmu.h"

enum { SW_UNCORE_NAME_SIZE = 64, SW_UNCORE_CPUS_MAX = 64 };

/* Open the directory of all counters; -1: none. */
int sw_uncore_devices(int sys_fd);

/* A counter box, with the CPUs that read it, one for each of its instances */
struct sw_uncore_box {
	int fd;
	char name[SW_UNCORE_NAME_SIZE];
	uint32_t type;
	int cpus[SW_UNCORE_CPUS_MAX];
	size_t cpu_count;
};

/* Return 0, or -1 if it does not exist or its files have an unknown format. */
int sw_uncore_box_open(struct sw_uncore_box *box, int devices_fd,
		       const char *name);
void sw_uncore_box_close(struct sw_uncore_box *box);

/* Encode "event=0x04,umask=0x03" by the box's "format".  Return 0 or -1. */
int sw_uncore_encode(const struct sw_uncore_box *box, const char *terms,
		     struct perf_event_attr *attr);

/*
 * Encode a named event of the box, and get the bytes per count; NAN if its unit
 * is not bytes.  Return 0 or -1.
 */
int sw_uncore_event(const struct sw_uncore_box *box, const char *name,
		    struct perf_event_attr *attr, double *bytes);

#endif

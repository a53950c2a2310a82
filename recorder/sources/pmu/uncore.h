/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel's files say of counters outside the cores, as those of memory
 * controllers: which there are, which CPUs read them, and how an event of a
 * name is asked for (Documentation/ABI/testing/
 * sysfs-bus-event_source-devices-events and -format).
 */
#ifndef SW_RECORDER_UNCORE_H
#define SW_RECORDER_UNCORE_H

#include <stddef.h>
#include <stdint.h>

#include "recorder/sources/pmu/pmu.h"

enum { SW_UNCORE_NAME_SIZE = 64, SW_UNCORE_CPUS_MAX = 64 };

/* The folder of all counters; -1: there is none. */
int sw_uncore_devices(int sys_fd);

/* One of them, with the CPUs that read it, one for each of its kind. */
struct sw_uncore_box {
	int fd;
	char name[SW_UNCORE_NAME_SIZE];
	uint32_t type;
	int cpus[SW_UNCORE_CPUS_MAX];
	size_t cpu_count;
};

/* 0, or -1: not there, or its files are not of the known form. */
int sw_uncore_box_open(struct sw_uncore_box *box, int devices_fd,
		       const char *name);
void sw_uncore_box_close(struct sw_uncore_box *box);

/* "event=0x04,umask=0x03", as the box's "format" has the terms.  0 or -1. */
int sw_uncore_encode(const struct sw_uncore_box *box, const char *terms,
		     struct perf_event_attr *attr);

/*
 * The event that the box itself knows by such a name, and how many bytes each
 * count of it stands for; NAN where its unit is none of bytes.  0 or -1.
 */
int sw_uncore_event(const struct sw_uncore_box *box, const char *name,
		    struct perf_event_attr *attr, double *bytes);

#endif

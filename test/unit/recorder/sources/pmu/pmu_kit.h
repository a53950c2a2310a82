/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated PMU for tests: its events, their values, and its faults.  It
 * returns descriptors of its own and detects leaked ones.
 */
#ifndef SW_TEST_PMU_KIT_H
#define SW_TEST_PMU_KIT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pmu_kit_event {
	uint32_t type;
	uint64_t config;
	pid_t pid;		/* 0: any process */
	int why;		/* errno of an open that fails; 0 */
	uint64_t value;
	uint64_t enabled_nsec, running_nsec;	/* of the group it leads */
};

enum pmu_kit_fault { PMU_KIT_SOUND, PMU_KIT_SHORT, PMU_KIT_NOTHING,
		     PMU_KIT_COUNT };

/* Reset to no events, and let the recorder count here from now on. */
void pmu_kit_begin(void);
/* Use the kernel's PMU again. */
void pmu_kit_end(void);

/* Load the events of a folder's file "pmu"; none without the file. */
void pmu_kit_load(int dirfd);

/* The last one set for a type, config and pid counts. */
void pmu_kit_set(const struct pmu_kit_event *event);
void pmu_kit_fault(enum pmu_kit_fault fault);
void pmu_kit_limit(size_t descriptors);	/* then EMFILE */

size_t pmu_kit_open_count(void);
size_t pmu_kit_reads(void);
/* Attributes of the open_index-th successful open; NULL: there is none. */
const struct perf_event_attr *pmu_kit_attr(size_t open_index);
/* Its group's leader, as such an index; itself if it leads. */
size_t pmu_kit_leader(size_t open_index);

#endif

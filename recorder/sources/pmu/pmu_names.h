/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processors' own names of events, by libpfm4.  Without it only the events
 * that the kernel has a name for can be counted.
 */
#ifndef SW_RECORDER_PMU_NAMES_H
#define SW_RECORDER_PMU_NAMES_H

#include <linux/perf_event.h>
#include <stdbool.h>

/*
 * Type and config of an event, in user mode unless its name says otherwise;
 * -1 where this processor has none of the name.
 */
int sw_pmu_encode(const char *name, struct perf_event_attr *attr);

/* False: stepwell was built without libpfm4. */
bool sw_pmu_has_names(void);

#endif

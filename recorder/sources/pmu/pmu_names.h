/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event names of processors, by libpfm4.  Without it, only events with a
 * generic name in the kernel can be counted.
 */
#ifndef SW_RECORDER_PMU_NAMES_H
#define SW_RECORDER_PMU_NAMES_H

#include <linux/perf_event.h>
#include <stdbool.h>

/*
 * Encode type and config of an event, for user mode unless its name says
 * otherwise.  Return -1 if this processor has no such event.
 */
int sw_pmu_encode(const char *name, struct perf_event_attr *attr);

/* Return false if stepwell was built without libpfm4. */
bool sw_pmu_has_names(void);

#endif

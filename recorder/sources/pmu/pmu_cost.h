/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check if inherited counters slow down a step that starts many threads. */
#ifndef SW_RECORDER_PMU_COST_H
#define SW_RECORDER_PMU_COST_H

#include "recorder/sources/pmu/pmu_tasks.h"

/* Begin counting starts. */
void sw_pmu_cost_open(struct sw_pmu_tasks *tasks);

/* Return true if the starts on this node since the last call need a check. */
bool sw_pmu_cost_is_due(struct sw_pmu_tasks *tasks, uint64_t now_usec);

/*
 * Return whether the cost since the last call is too high.  enabled_nsec and
 * switches are totals over all tasks; switches may be SW_MISSING.
 */
bool sw_pmu_cost_is_high(struct sw_pmu_tasks *tasks, uint64_t enabled_nsec,
			 uint64_t switches, uint64_t now_usec);

#endif

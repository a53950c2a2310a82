/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether inherited counters slow a step that starts many threads. */
#ifndef SW_RECORDER_PMU_COST_H
#define SW_RECORDER_PMU_COST_H

#include "recorder/sources/pmu/pmu_tasks.h"

/* Begin to count starts. */
void sw_pmu_cost_open(struct sw_pmu_tasks *tasks);

/* Since the last call: did so much begin on this node that it may be so? */
bool sw_pmu_cost_is_due(struct sw_pmu_tasks *tasks, uint64_t now_usec);

/*
 * Since the last call: did they cost more than they may?  enabled_nsec and
 * switches: of all tasks until now; switches may be SW_MISSING.
 */
bool sw_pmu_cost_is_high(struct sw_pmu_tasks *tasks, uint64_t enabled_nsec,
			 uint64_t switches, uint64_t now_usec);

#endif

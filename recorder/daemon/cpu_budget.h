/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limit the recorder's CPU time: a budget grows at a fixed rate up to a
 * maximum; if it is overdrawn, the next sample has to wait.
 */
#ifndef SW_RECORDER_CPU_BUDGET_H
#define SW_RECORDER_CPU_BUDGET_H

#include <stdint.h>

#include "common/units.h"

/* Time over which the budget is saved up, and maximum wait */
#define SW_CPU_BUDGET_SAVED_USEC (10 * SW_USEC_PER_SEC)
#define SW_CPU_BUDGET_WAIT_USEC (60 * SW_USEC_PER_SEC)

struct sw_cpu_budget {
	uint64_t percent;	/* of one CPU */
	uint64_t now_usec, cpu_usec;	/* of the last count */
	int64_t left;		/* CPU time, in hundredths of a microsecond */
};

/* Start now, with a full budget. */
void sw_cpu_budget_start(struct sw_cpu_budget *budget, uint64_t percent,
			 uint64_t now_usec, uint64_t cpu_usec);

/*
 * Count usage up to now.  Return the time of the next possible sample: now, or
 * later.
 */
uint64_t sw_cpu_budget_count(struct sw_cpu_budget *budget, uint64_t now_usec,
			     uint64_t cpu_usec);

#endif

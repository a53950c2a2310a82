/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU time that the recorder may take: it comes at a rate, can be saved up
 * for a while, and what was taken beyond it is waited for before there is
 * another sample.
 */
#ifndef SW_RECORDER_CPU_BUDGET_H
#define SW_RECORDER_CPU_BUDGET_H

#include <stdint.h>

#include "common/units.h"

/* For how long it is saved up, and how long is waited for it at most. */
#define SW_CPU_BUDGET_SAVED_USEC (10 * SW_USEC_PER_SEC)
#define SW_CPU_BUDGET_WAIT_USEC (60 * SW_USEC_PER_SEC)

struct sw_cpu_budget {
	uint64_t percent;	/* of one CPU */
	uint64_t now_usec, cpu_usec;	/* when last counted */
	int64_t left;		/* CPU time, hundredths of a microsecond */
};

/* From now on, with as much as can be saved up. */
void sw_cpu_budget_start(struct sw_cpu_budget *budget, uint64_t percent,
			 uint64_t now_usec, uint64_t cpu_usec);

/*
 * Count what has been used up to now.  Returns when there may be another
 * sample: now, or later.
 */
uint64_t sw_cpu_budget_count(struct sw_cpu_budget *budget, uint64_t now_usec,
			     uint64_t cpu_usec);

#endif

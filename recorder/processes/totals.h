/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resources used by the processes of a tree in total. */
#ifndef SW_RECORDER_TOTALS_H
#define SW_RECORDER_TOTALS_H

#include <stdint.h>

#include "recorder/kernel/process.h"

struct sw_reaped;

/* A value is SW_MISSING if it has never been known. */
struct sw_totals {
	uint64_t user_usec, system_usec;
	uint64_t minflt, majflt;
	uint64_t io[SW_IO_COUNT];
	/* of the main threads of all processes that were seen */
	uint64_t voluntary_switches, nonvoluntary_switches;
	uint64_t run_queue_wait_usec;	/* of all threads that were seen */
};

/* Value before anything has been read. */
extern const struct sw_totals sw_totals_missing;

/* Begin a sum with what was reaped since the start. */
void sw_totals_reap(struct sw_totals *sum, const struct sw_reaped *reaped,
		    const struct sw_reaped *start);

/* Add a process and the children that it has reaped. */
void sw_totals_add(struct sw_totals *sum, const struct sw_process *process);

/* Raise totals to sum.  They never decrease: each is the largest sum so far. */
void sw_totals_raise(struct sw_totals *totals, const struct sw_totals *sum);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Account for what limited a step, sample by sample: the only implementation,
 * used for the recorder's row of the summaries and for reports.
 */
#ifndef SW_COMMON_STEP_LIMITS_H
#define SW_COMMON_STEP_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/limits_looks.h"
#include "common/step_reading.h"

/* usec[1]: if the threads take turns, which is only known at the end. */
struct sw_step_interval {
	uint64_t start_usec, end_usec;
	double usec[2][SW_LIMITS];
};

/*
 * An interval is judged when its sources have caught up with it and its threads
 * have been sampled, or at the latest after SW_STEP_READINGS samples.  All zero
 * is empty, except for the members that the caller sets.
 */
struct sw_step_limits {
	double cpus;		/* available; NAN */
	double page_bytes;	/* size of a page */
	uint64_t start_usec;	/* start of the step */
	/* Called for each interval; false: skip it.  NULL: use all. */
	bool (*take)(void *context, const struct sw_step_interval *interval);
	void *context;
	struct sw_step_readings readings;
	bool has_before;	/* the first reading has been judged */
	bool is_observed;
	bool may_want_more;	/* than one CPU in any interval */
	double usec[2][SW_LIMITS];
	struct sw_crowd crowd;
	struct sw_worker_look workers;	/* last sample of all of them */
	bool are_workers_all;
	double workers_ran;	/* before the last known sample; 0: none */
	uint64_t spent_usec;	/* CPU time */
};

/* Add a sample; one without a new CPU time is skipped. */
void sw_step_limits_add(struct sw_step_limits *limits,
			const struct sw_step_reading *reading);

/* Judge the remaining intervals after the last sample. */
void sw_step_limits_end(struct sw_step_limits *limits);

/* Check if the step's threads ran one at a time, taking turns at a lock. */
bool sw_step_limits_take_turns(const struct sw_step_limits *limits);

/* Store the time by limit; false, and all missing: nothing was observed. */
bool sw_step_limits_sum(const struct sw_step_limits *limits,
			uint64_t usec[SW_LIMITS]);

/* The same for any sums of intervals, after sw_limits_spread(). */
void sw_limits_settle(const double sums[SW_LIMITS], uint64_t usec[SW_LIMITS]);

#endif

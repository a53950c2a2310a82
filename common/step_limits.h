/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What limited a step, sample after sample: the one account of its time, for
 * the recorder's row of the summaries and for reports.
 */
#ifndef SW_COMMON_STEP_LIMITS_H
#define SW_COMMON_STEP_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/limits_looks.h"
#include "common/step_reading.h"

/* [1]: if its threads take turns, which is known at the end. */
struct sw_step_interval {
	uint64_t start_usec, end_usec;
	double usec[2][SW_LIMITS];
};

/*
 * An interval is judged when its sources have caught up with it and its
 * threads have been looked at; at most SW_STEP_READINGS samples later.  All
 * zero is empty, but for what the caller knows.
 */
struct sw_step_limits {
	double cpus;		/* that it may use; NAN */
	double page_bytes;	/* of memory */
	uint64_t start_usec;	/* of the step */
	/* Called with each interval; false: it does not count.  NULL: all do */
	bool (*take)(void *context, const struct sw_step_interval *interval);
	void *context;
	struct sw_step_readings readings;
	bool has_before;	/* the first reading was judged already */
	bool is_observed;
	bool may_want_more;	/* than one CPU, in some interval */
	double usec[2][SW_LIMITS];
	struct sw_crowd crowd;
	struct sw_worker_look workers;	/* the last that saw all of them */
	bool are_workers_all;
	double workers_ran;	/* before the last look that knew; 0: none */
	uint64_t spent_usec;	/* CPU time */
};

/* A sample; one without news of CPU time is left out. */
void sw_step_limits_add(struct sw_step_limits *limits,
			const struct sw_step_reading *reading);

/* No more samples: judge what has been waiting for them. */
void sw_step_limits_end(struct sw_step_limits *limits);

/* Whether one of its threads ran at a time, by turns at a lock. */
bool sw_step_limits_take_turns(const struct sw_step_limits *limits);

/* What its time went to; false, and all missing: nothing was observed. */
bool sw_step_limits_sum(const struct sw_step_limits *limits,
			uint64_t usec[SW_LIMITS]);

/* The same for any sums of intervals: with a reason for what was waited for in
 * children, as far as samples tell. */
void sw_limits_settle(const double sums[SW_LIMITS], uint64_t usec[SW_LIMITS]);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the past runs of a group tell about time, as the advisor takes them. */
#ifndef SW_ADVICE_TIME_RUNS_H
#define SW_ADVICE_TIME_RUNS_H

#include "advice/run.h"

/* Runs older than the newest of these tell nothing of the next one. */
enum { SW_TIME_RUNS_MAX = 500 };

/* A run whose time is known, or known to be at least this. */
struct sw_time_run {
	double seconds;
	bool is_lower_bound;
	bool is_timeout;	/* killed at, or held to, its limit */
	double limit_seconds, cores, input_bytes;	/* NAN */
};

struct sw_time_runs {
	struct sw_time_run *items;	/* by the time of their ends */
	size_t count;
	size_t ends;		/* that are not lower bounds */
	size_t timeouts;
	size_t left_out;	/* without a time that makes sense */
};

/* 0, or -1 (errno ENOMEM). */
int sw_time_runs_init(struct sw_time_runs *times, const struct sw_runs *runs);
void sw_time_runs_fini(struct sw_time_runs *times);

#endif

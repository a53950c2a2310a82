/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the busiest threads or processes of a step shared its work. */
#include <math.h>

#include "analyzer/view/view_internal.h"
#include "common/delta.h"

/* What they used is nearly all that the step did. */
static const double WHOLE_RATIO = 0.8;

/*
 * One of them that has done more than that had helpers at most: these may run
 * together for moments, which show in no mean; more of it, where no look saw
 * more than one CPU wanted.
 */
static const double ALONE = 0.75, ALONE_AT_MOST = 0.8, ONE_WANTED = 1.25;

/* They used no more than that: one at a time. */
static const double ONE_CPU = 1.2;

/* The last look that saw all of them: CPU time only grows. */
void sw_view_fill_workers(struct sw_view *view,
			  const struct sw_view_parts *parts)
{
	struct sw_series s = sw_series_open(parts->reader, "series.runnable",
					    parts->step_key);
	struct sw_view_workers *workers = &view->workers;
	uint64_t cpu_usec, start = view->start_usec;
	size_t row;

	for (row = 0; row < sw_series_rows(&s); row++) {
		cpu_usec = sw_series_at(&s, row, "workers_cpu_usec");
		if (sw_is_missing(cpu_usec) || cpu_usec <= workers->cpu_usec)
			continue;
		workers->count = sw_series_at(&s, row, "workers");
		workers->cpu_usec = cpu_usec;
		workers->are_processes = sw_zero_if_missing(sw_series_at(
			&s, row, "worker_processes")) > 1;
		workers->busiest_usec = sw_series_at(&s, row,
						     "busiest_cpu_usec");
		workers->usec = sw_zero_if_missing(sw_delta_u64(
			sw_series_at(&s, row, "time_usec"), start));
	}
	if (!(sw_curve_mean(&view->cores, start, start + workers->usec) *
		      (double)workers->usec * WHOLE_RATIO <=
	      (double)workers->cpu_usec))
		*workers = (struct sw_view_workers){ 0 };
}

bool sw_view_takes_turns(const struct sw_view *view)
{
	const struct sw_view_workers *workers = &view->workers;
	double alone = view->cpu.demand_peak_cores <= ONE_WANTED ?
			       ALONE_AT_MOST : ALONE;

	return workers->count >= 2 &&
	       (double)workers->busiest_usec <=
		       alone * (double)workers->cpu_usec &&
	       (double)workers->cpu_usec <= ONE_CPU * (double)workers->usec;
}

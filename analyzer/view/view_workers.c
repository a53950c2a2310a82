/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the busiest threads or processes of a step shared its work. */
#include <math.h>

#include "analyzer/view/view_internal.h"
#include "common/delta.h"
#include "common/limits_looks.h"

/* CPUs wanted at once, where it is one. */
static const double ONE_WANTED = 1.25;

static struct sw_worker_look look_of(const struct sw_view_workers *workers)
{
	return (struct sw_worker_look){ workers->count, workers->cpu_usec,
					workers->busiest_usec, workers->usec };
}

/* The last look that saw all of them: CPU time only grows. */
void sw_view_fill_workers(struct sw_view *view,
			  const struct sw_view_parts *parts)
{
	struct sw_series s = sw_series_open(parts->reader, "series.runnable",
					    parts->step_key);
	struct sw_view_workers *workers = &view->workers;
	uint64_t cpu_usec, start = view->start_usec;
	struct sw_worker_look look;
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
	look = look_of(workers);
	if (!sw_workers_are_all(&look, (double)look.usec *
			sw_curve_mean(&view->cores, start, start + look.usec)))
		*workers = (struct sw_view_workers){ 0 };
}

bool sw_view_takes_turns(const struct sw_view *view)
{
	struct sw_worker_look look = look_of(&view->workers);

	return sw_workers_take_turns(&look, view->cpu.demand_peak_cores <=
						    ONE_WANTED);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Balance of work among the busiest threads or processes of a step. */
#include <math.h>

#include "analyzer/view/shares.h"
#include "analyzer/view/view_internal.h"
#include "common/delta.h"
#include "common/limits_looks.h"
#include "common/one_cpu.h"

static struct sw_worker_look look_of(const struct sw_view_workers *workers)
{
	return (struct sw_worker_look){ workers->count, workers->cpu_usec,
					workers->busiest_usec, workers->usec };
}

/* Samples of running workers that concern a straggler. */
struct track {
	size_t shared;		/* row of the last sample with two running */
	size_t alone;		/* last sample with one running; or 0 */
	uint64_t most;		/* maximum running */
	bool is_other;		/* a thread that was no worker ran later */
};

/* Start after row 0, which has no previous row. */
static struct track follow(const struct sw_series *s)
{
	const uint64_t *all_ran = sw_series_numbers(s, "workers_ran");
	struct track track = { .shared = 0 };
	size_t row;

	for (row = 1; row < sw_series_rows(s); row++) {
		uint64_t ran = sw_series_cell(s, all_ran, row);

		if (sw_is_missing(ran))
			continue;
		if (ran >= 2) {
			track.shared = row;
			track.alone = 0;
			track.is_other = false;
			track.most = sw_max_u64(track.most, ran);
		} else if (track.shared && ran == 1) {
			track.alone = row;
		} else {
			track.is_other = true;
		}
	}
	return track;
}

static double cpu_usec(const struct sw_view *view, uint64_t start, uint64_t end)
{
	double cores = sw_curve_mean(&view->cores, start, end);

	return isnan(cores) || end <= start ? 0 : cores * (double)(end - start);
}

static double wanted(const struct sw_view *view, uint64_t start, uint64_t end)
{
	double waits = sw_curve_mean(&view->cpu_waits, start, end);

	return sw_curve_mean(&view->cores, start, end) +
	       (isnan(waits) ? 0 : waits);
}

/* A thread alone at the end may merge the results of the others. */
static void find_straggler(struct sw_view *view, const struct sw_series *s)
{
	struct sw_view_straggler *found = &view->workers.straggler;
	struct track track = follow(s);
	uint64_t start, seen, shared, own;
	double before, others, after;

	if (!track.shared || !track.alone || track.is_other)
		return;
	start = sw_series_at(s, track.shared, "time_usec");
	seen = sw_series_at(s, track.alone, "time_usec");
	shared = sw_series_at(s, track.shared, "workers_cpu_usec");
	own = sw_series_at(s, track.alone, "busiest_cpu_usec");
	after = wanted(view, start, view->end_usec);
	before = sw_real_u64(own) - cpu_usec(view, start, seen);
	others = (sw_real_u64(shared) - before) / (double)(track.most - 1);
	if (!(before >= SW_MOST * others) || !(others > 0) ||
	    !sw_is_one_cpu(after))
		return;
	before += cpu_usec(view, start, view->end_usec);
	*found = (struct sw_view_straggler){
		.count = track.most,
		.own_usec = sw_whole_real(before),
		.mean_usec = sw_whole_real(
			(others * (double)(track.most - 1) + before) /
			(double)track.most),
		.alone_usec = sw_excess_u64(view->end_usec, start),
		.alone_cpus = after,
		.are_processes =
			sw_zero_if_missing(sw_series_at(
				s, track.shared, "worker_processes")) > 1,
	};
}

/* Return the last sample with all workers: CPU time only grows. */
static size_t last_of_all(const struct sw_series *s)
{
	const uint64_t *cpu_usec = sw_series_numbers(s, "workers_cpu_usec");
	uint64_t most = 0, now;
	size_t row, last = SIZE_MAX;

	for (row = 0; row < sw_series_rows(s); row++) {
		now = sw_series_cell(s, cpu_usec, row);
		if (sw_is_missing(now) || now <= most)
			continue;
		most = now;
		last = row;
	}
	return last;
}

void sw_view_fill_workers(struct sw_view *view,
			  const struct sw_view_parts *parts)
{
	struct sw_series s = sw_series_open(parts->reader, "series.runnable",
					    parts->step_key);
	struct sw_view_workers *workers = &view->workers;
	size_t row = last_of_all(&s);
	uint64_t start = view->start_usec;
	struct sw_worker_look look;

	if (row != SIZE_MAX)
		*workers = (struct sw_view_workers){
			.count = sw_series_at(&s, row, "workers"),
			.cpu_usec = sw_series_at(&s, row, "workers_cpu_usec"),
			.are_processes = sw_zero_if_missing(sw_series_at(
				&s, row, "worker_processes")) > 1,
			.busiest_usec = sw_series_at(&s, row,
						     "busiest_cpu_usec"),
			.usec = sw_zero_if_missing(sw_delta_u64(
				sw_series_at(&s, row, "time_usec"), start)),
		};
	look = look_of(workers);
	if (!sw_workers_are_all(&look, (double)look.usec *
			sw_curve_mean(&view->cores, start, start + look.usec)))
		*workers = (struct sw_view_workers){ 0 };
	find_straggler(view, &s);
}

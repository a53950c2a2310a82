/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Account for what limited a step, sample by sample. */
#include "common/step_limits.h"

#include <math.h>
#include <string.h>

#include "common/delta.h"
#include "common/one_cpu.h"
#include "common/units.h"

/*
 * Two samples can be close together, like the two at the end of a step.  A rate
 * over such a short time is noise, so the previous interval grows instead.
 * Chosen by hand.
 */
#define INTERVAL_USEC_MIN 5000

/* Shorter intervals do not show how many CPUs were wanted.  Chosen by hand. */
#define WANTED_USEC_MIN (SW_USEC_PER_SEC / 2)

/* Number of threads that take turns, if any do; 2 before the first sample */
static double in_turn_at_least(const struct sw_step_limits *limits)
{
	return limits->workers.count > 2 ? (double)limits->workers.count : 2;
}

static void note_wanted(struct sw_step_limits *limits,
			const struct sw_sight *sight, uint64_t usec)
{
	double wanted = sight->cores + sight->cpu_waits;

	if (usec >= WANTED_USEC_MIN && !(wanted < SW_TWO_CPUS_LOW))
		limits->may_want_more = true;
}

static void share(const struct sw_sight *sight, double width_usec,
		  double usec[SW_LIMITS])
{
	int i;

	sw_limits_share(sight, usec);
	for (i = 0; i < SW_LIMITS; i++)
		usec[i] *= width_usec;
}

static void share_both(const struct sw_step_limits *limits,
		       struct sw_sight *sight,
		       struct sw_step_interval *interval)
{
	double usec = (double)(interval->end_usec - interval->start_usec);

	sight->cpus = sw_crowd_bound(sw_crowd_cpus(&limits->crowd),
				     limits->cpus, sight->cores);
	sight->knows_bound = sw_crowd_is_known(&limits->crowd);
	share(sight, usec, interval->usec[0]);
	if (sw_workers_may_take_turns(limits->workers_ran) &&
	    sight->lock_threads > 0) {
		sight->in_turn = in_turn_at_least(limits);
		share(sight, usec, interval->usec[1]);
	} else {
		memcpy(interval->usec[1], interval->usec[0],
		       sizeof(interval->usec[1]));
	}
}

static void add(struct sw_step_limits *limits,
		const struct sw_step_interval *interval)
{
	int i;

	if (limits->take && !limits->take(limits->context, interval))
		return;
	for (i = 0; i < SW_LIMITS; i++) {
		limits->usec[0][i] += interval->usec[0][i];
		limits->usec[1][i] += interval->usec[1][i];
	}
	limits->is_observed = true;
}

/* Judge the first open interval and drop the readings before it, except for
 * one, because the sources are read one after the other. */
static void judge_first(struct sw_step_limits *limits)
{
	struct sw_step_readings *readings = &limits->readings;
	size_t at = limits->has_before;
	struct sw_step_interval interval = {
		.start_usec = sw_step_reading_usec(
			sw_step_readings_at(readings, at)),
		.end_usec = sw_step_reading_usec(
			sw_step_readings_at(readings, at + 1)),
	};
	double ran = sw_step_readings_ran(readings, at);
	struct sw_sight sight;

	if (!isnan(ran))
		limits->workers_ran = ran;
	sw_step_readings_judge(readings, at, limits->page_bytes, &sight);
	if (!isnan(sight.cores)) {
		note_wanted(limits, &sight,
			    interval.end_usec - interval.start_usec);
		share_both(limits, &sight, &interval);
		add(limits, &interval);
	}
	if (limits->has_before) {
		readings->first = (readings->first + 1) % SW_STEP_READINGS;
		readings->count--;
	}
	limits->has_before = true;
}

/* Number of intervals between readings that are not judged yet */
static size_t intervals(const struct sw_step_limits *limits)
{
	size_t count = limits->readings.count;

	return count > 1 ? count - 1 - limits->has_before : 0;
}

/* Check if the first interval is known as well as possible.  The last interval
 * may still grow. */
static bool is_ready(const struct sw_step_limits *limits)
{
	return intervals(limits) > 1 && sw_crowd_is_known(&limits->crowd) &&
	       sw_step_readings_cover(
		       &limits->readings,
		       sw_step_reading_usec(sw_step_readings_at(
			       &limits->readings, limits->has_before + 1u)));
}

/* Threads are not sampled in each reading. */
static void look(struct sw_step_limits *limits,
		 const struct sw_step_reading *reading)
{
	const struct sw_step_rows *rows = &reading->rows;
	struct sw_worker_look workers = {
		.count = rows->runnable.workers,
		.cpu_usec = rows->runnable.workers_usec,
		.busiest_usec = rows->runnable.busiest_usec,
		.usec = sw_excess_u64(rows->runnable.usec, limits->start_usec),
	};

	sw_crowd_add(&limits->crowd, rows->runnable.threads,
		     rows->runnable.cpus);
	/* CPU time only grows: a smaller value misses some of them. */
	if (sw_is_missing(workers.cpu_usec) ||
	    workers.cpu_usec <= limits->workers.cpu_usec)
		return;
	limits->workers = workers;
	limits->are_workers_all =
		sw_workers_are_all(&workers, (double)limits->spent_usec);
}

static const struct sw_step_reading *newest(const struct sw_step_limits *limits)
{
	return limits->readings.count ?
		       sw_step_readings_at(&limits->readings,
					   limits->readings.count - 1) : NULL;
}

static void spend(struct sw_step_limits *limits,
		  const struct sw_step_reading *last,
		  const struct sw_step_reading *reading)
{
	uint64_t used = sw_step_reading_usage(reading);

	if (last)
		used = last->is_by_proc == reading->is_by_proc ?
			sw_delta_u64(used, sw_step_reading_usage(last)) : 0;
	limits->spent_usec += sw_zero_if_missing(used);
}

static void push(struct sw_step_limits *limits,
		 const struct sw_step_reading *reading)
{
	struct sw_step_readings *readings = &limits->readings;
	const struct sw_step_reading *last = newest(limits);

	if (last && intervals(limits) > 0 &&
	    sw_step_reading_usec(reading) - sw_step_reading_usec(last) <
		    INTERVAL_USEC_MIN)
		readings->count--;
	while (readings->count == SW_STEP_READINGS)
		judge_first(limits);
	*sw_step_readings_at(readings, readings->count++) = *reading;
}

void sw_step_limits_add(struct sw_step_limits *limits,
			const struct sw_step_reading *reading)
{
	const struct sw_step_reading *last = newest(limits);
	uint64_t usec = sw_step_reading_usec(reading);

	if (sw_is_missing(usec) ||
	    sw_is_missing(sw_step_reading_usage(reading)) ||
	    (last && usec <= sw_step_reading_usec(last)))
		return;
	spend(limits, last, reading);
	if (!sw_is_missing(reading->rows.runnable.usec) &&
	    (!last || sw_is_missing(last->rows.runnable.usec) ||
	     reading->rows.runnable.usec > last->rows.runnable.usec))
		look(limits, reading);
	push(limits, reading);
	while (is_ready(limits))
		judge_first(limits);
}

void sw_step_limits_end(struct sw_step_limits *limits)
{
	while (intervals(limits) > 0)
		judge_first(limits);
}

bool sw_step_limits_take_turns(const struct sw_step_limits *limits)
{
	return limits->are_workers_all &&
	       sw_workers_take_turns(&limits->workers, !limits->may_want_more);
}

void sw_limits_settle(const double sums[SW_LIMITS], uint64_t usec[SW_LIMITS])
{
	double spread[SW_LIMITS];
	int i;

	memcpy(spread, sums, sizeof(spread));
	sw_limits_spread(spread);
	for (i = 0; i < SW_LIMITS; i++)
		usec[i] = sw_whole_real(spread[i] + 0.5);
}

bool sw_step_limits_sum(const struct sw_step_limits *limits,
			uint64_t usec[SW_LIMITS])
{
	sw_set_missing(usec, SW_LIMITS);
	if (limits->is_observed)
		sw_limits_settle(limits->usec[sw_step_limits_take_turns(limits)],
				 usec);
	return limits->is_observed;
}

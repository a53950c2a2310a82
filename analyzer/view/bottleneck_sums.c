/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find what limited a step of which only sums are known. */
#include "analyzer/view/bottleneck_sums.h"

#include <math.h>
#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "analyzer/view/shares.h"
#include "common/delta.h"
#include "common/units.h"

/* Shorter runs mostly start programs.  Chosen by hand. */
static const double ELAPSED_SECONDS_MIN = 0.5;

/* Per microsecond of elapsed time; NAN if unknown. */
struct sums {
	double busy;		/* average CPUs */
	double all_busy;	/* likewise of all processes; NAN if unknown */
	double queued;		/* threads waiting for a CPU */
	double io;		/* threads waiting for I/O */
};

/* Sum over all programs, if the end of every process was seen. */
static uint64_t sum_of(const struct sw_view *view, size_t offset)
{
	uint64_t sum = SW_MISSING, value;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		memcpy(&value, (const char *)program + offset, sizeof(value));
		if (!program->is_complete || sw_is_missing(value))
			return SW_MISSING;
		sum = sw_sum_u64(sum, value);
	}
	return sum;
}

/* The kernel's account of children lacks those that were not waited for. */
static uint64_t all_cpu(const struct sw_view *view)
{
	uint64_t seen = sum_of(view, offsetof(struct sw_view_program,
					      cpu_usec));

	if (view->cpu.source && strcmp(view->cpu.source, "rusage") != 0)
		return view->cpu.used_usec;
	return sw_is_missing(seen) ? SW_MISSING :
				     sw_max_u64(seen, view->cpu.used_usec);
}

static void fill(struct sums *sums, const struct sw_view *view)
{
	uint64_t queued = view->cpu.run_queue_wait_usec;

	if (sw_is_missing(queued))
		queued = sum_of(view, offsetof(struct sw_view_program,
					       run_queue_wait_usec));
	*sums = (struct sums){
		.busy = sw_ratio_u64(view->cpu.used_usec, view->elapsed_usec),
		.all_busy = sw_ratio_u64(all_cpu(view), view->elapsed_usec),
		.queued = sw_ratio_u64(queued, view->elapsed_usec),
		.io = sw_ratio_u64(sum_of(view,
				offsetof(struct sw_view_program,
					 io_wait_usec)), view->elapsed_usec),
	};
}

/* At least: all of its CPUs may have been busy at the same time. */
static double least_busy(const struct sums *sums, const struct sw_view *view)
{
	double cpus = fmin(view->cpu.allocated_cores,
			   view->cpu.available_cores);

	/* fmin() ignores a NAN. */
	return cpus > 0 && !isnan(sums->busy) ? fmin(sums->busy / cpus, 1)
					      : NAN;
}

/* As counted in reports, if known. */
static double had_cores(const struct sw_view *view)
{
	return isnan(view->cpu.allocated_cores) ? view->cpu.available_cores
						: view->cpu.allocated_cores;
}

/* At least: threads may have run or queued one after another. */
static double least_idle(const struct sums *sums)
{
	return 1 - (sums->all_busy + sums->queued);
}

/* CPU time and waits for a CPU and for I/O that add up to the elapsed time
 * belong to threads that ran one after another. */
static bool is_one_after_the_other(const struct sums *sums)
{
	return fabs(sums->all_busy + sums->queued + sums->io - 1) <= SW_SOME;
}

bool sw_sums_bottleneck_find(struct sw_sums_bottleneck *bottleneck,
			     const struct sw_view *view)
{
	struct sw_bottleneck sampled;
	struct sums sums;
	double busy, idle;

	if (sw_view_is_shorter(view, ELAPSED_SECONDS_MIN) ||
	    sw_view_is_of_user(view) ||
	    (sw_bottleneck_find(&sampled, &view->limits) &&
	     sw_bottleneck_is_sampled(&sampled)))
		return false;
	fill(&sums, view);
	busy = least_busy(&sums, view);
	idle = least_idle(&sums);
	if (busy >= SW_MOST)
		*bottleneck = (struct sw_sums_bottleneck){
			SW_LIMITED_BY_CPU, busy, sums.busy, had_cores(view) };
	else if (idle >= SW_MOST && sums.io >= SW_MOST &&
		 is_one_after_the_other(&sums))
		*bottleneck = (struct sw_sums_bottleneck){
			SW_LIMITED_BY_IO, fmin(sums.io, idle), NAN, NAN };
	else if (idle >= SW_MOST)
		*bottleneck = (struct sw_sums_bottleneck){
			SW_LIMITED_BY_WAITING, idle, NAN, NAN };
	else
		return false;
	return true;
}

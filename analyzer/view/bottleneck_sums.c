/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What limited a step of which there are only sums. */
#include "analyzer/view/bottleneck_sums.h"

#include <math.h>
#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "common/delta.h"
#include "common/units.h"

/* As with samples: less than half of the time is not what limited it. */
static const double MOST = 0.5;

/* Of shorter runs most is the start of programs. */
static const double ELAPSED_SECONDS_MIN = 0.5;

/* CPU time, waits for a CPU and waits for I/O that so nearly add up to the
 * elapsed time are those of one thread after the other. */
static const double OFF = 0.1;

/* Per microsecond that the step took; NAN: not known. */
struct sums {
	double busy;		/* CPUs, on average */
	double all_busy;	/* likewise, of all processes, if that is known */
	double queued;		/* threads that waited for one */
	double io;		/* threads that waited for I/O */
};

/* Of all programs together, where every process of them was seen to end. */
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

/* What nobody waited for is not in the kernel's account of children. */
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

/* All of its CPUs may have been busy at once, and no longer than that. */
static double least_busy(const struct sums *sums, const struct sw_view *view)
{
	double cpus = fmin(view->cpu.allocated_cores,
			   view->cpu.available_cores);

	/* fmin() takes the other number where one is not known. */
	return cpus > 0 && !isnan(sums->busy) ? fmin(sums->busy / cpus, 1)
					      : NAN;
}

/* As reports count them, where that is known. */
static double had_cores(const struct sw_view *view)
{
	return isnan(view->cpu.allocated_cores) ? view->cpu.available_cores
						: view->cpu.allocated_cores;
}

/* Threads that ran or wanted to may have done so one after the other. */
static double least_idle(const struct sums *sums)
{
	return 1 - (sums->all_busy + sums->queued);
}

static bool is_one_after_the_other(const struct sums *sums)
{
	return fabs(sums->all_busy + sums->queued + sums->io - 1) <= OFF;
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
	if (busy >= MOST)
		*bottleneck = (struct sw_sums_bottleneck){
			SW_LIMITED_BY_CPU, busy, sums.busy, had_cores(view) };
	else if (idle >= MOST && sums.io >= MOST &&
		 is_one_after_the_other(&sums))
		*bottleneck = (struct sw_sums_bottleneck){
			SW_LIMITED_BY_IO, fmin(sums.io, idle), NAN, NAN };
	else if (idle >= MOST)
		*bottleneck = (struct sw_sums_bottleneck){
			SW_LIMITED_BY_WAITING, idle, NAN, NAN };
	else
		return false;
	return true;
}

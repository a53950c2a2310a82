/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Extrapolate samples of a step's threads, the rows of series.runnable, to all
 * of its time.  Pure: used by the recorder for running steps and by the
 * analyzer for profiles.
 */
#ifndef SW_COMMON_LIMITS_LOOKS_H
#define SW_COMMON_LIMITS_LOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Samples with more runnable threads than CPUs; all zero is empty. */
struct sw_crowd {
	size_t looks, crowded;
	uint64_t most; /* maximum of CPUs shared */
};

/* cpus: in the threads' combined affinity; SW_MISSING: not sampled. */
void sw_crowd_add(struct sw_crowd *crowd, uint64_t threads, uint64_t cpus);

/* Is the number of samples sufficient? */
bool sw_crowd_is_known(const struct sw_crowd *crowd);

/* Return the CPUs that threads shared for most of the time; 0: they did not. */
uint64_t sw_crowd_cpus(const struct sw_crowd *crowd);

/*
 * Return the CPUs available to the step's threads while cores CPUs were in use:
 * those that they are bound to, unless they used more.
 */
double sw_crowd_bound(uint64_t crowded_cpus, double cpus, double cores);

/* Distribution of CPU time among the busiest threads or processes, at a
 * sample */
struct sw_worker_look {
	uint64_t count;
	uint64_t cpu_usec, busiest_usec; /* of all of them, of the busiest */
	uint64_t usec;			 /* since the start of the step */
};

/*
 * Check if the mean number of workers that ran between two samples allows
 * taking turns: a thread that is alone waits for nobody.  NAN, 0: unknown.
 */
bool sw_workers_may_take_turns(double ran);

/* Do the workers account for nearly all CPU time of the step? */
bool sw_workers_are_all(const struct sw_worker_look *look, double step_usec);

/*
 * Check if the workers ran one at a time.  is_one_wanted: no sample found more
 * than one CPU wanted.
 */
bool sw_workers_take_turns(const struct sw_worker_look *look,
			   bool is_one_wanted);

#endif

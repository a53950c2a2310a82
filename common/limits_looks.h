/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What looks at the threads of a step, the rows of series.runnable, say of all
 * of its time.  Pure: the recorder has it of a step that runs, the analyzer of
 * one in a profile.
 */
#ifndef SW_COMMON_LIMITS_LOOKS_H
#define SW_COMMON_LIMITS_LOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runnable threads that shared fewer CPUs than they are; all zero is empty. */
struct sw_crowd {
	size_t looks, crowded;
	uint64_t most; /* CPUs that they shared, at most */
};

/* cpus: those that they may use, together; SW_MISSING: that was not seen. */
void sw_crowd_add(struct sw_crowd *crowd, uint64_t threads, uint64_t cpus);

/* Whether their CPUs were looked at often enough. */
bool sw_crowd_is_known(const struct sw_crowd *crowd);

/* The CPUs that they shared for most of the time; 0: they did not. */
uint64_t sw_crowd_cpus(const struct sw_crowd *crowd);

/*
 * Of the CPUs of a step those that its threads had for themselves while so
 * many were in use: those that they are bound to, if they did not use more.
 */
double sw_crowd_bound(uint64_t crowded_cpus, double cpus, double cores);

/* How the busiest threads or processes shared the work until a look. */
struct sw_worker_look {
	uint64_t count;
	uint64_t cpu_usec, busiest_usec; /* of all of them, and of one */
	uint64_t usec;			 /* from the step's start on */
};

/*
 * Whether so many workers that ran between two looks may have taken turns: one
 * that is alone waits for nobody.  NAN, 0: not known.
 */
bool sw_workers_may_take_turns(double ran);

/* Is what they used nearly all that the step did? */
bool sw_workers_are_all(const struct sw_worker_look *look, double step_usec);

/*
 * Whether they ran one at a time; is_one_wanted: no look saw more than one CPU
 * wanted.
 */
bool sw_workers_take_turns(const struct sw_worker_look *look,
			   bool is_one_wanted);

#endif

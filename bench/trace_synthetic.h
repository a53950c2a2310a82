/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synthetic trace of the benchmarks: tasks of a parallel program, 40 counters
 * each, one row per task and second, with the noise of hardware counters.  It
 * uses integer arithmetic and its own random number generator: the values are
 * the same on every machine.
 *
 * The program computes, exchanges messages and every ten minutes writes a
 * checkpoint, with all tasks roughly in step.  The sampler is late by up to a
 * millisecond, which shows in every rate, as on real machines.  Noise levels
 * (relative, standard deviation): cycles 0.3 %, instructions, branches and
 * floating point 1.2 %, cache and branch misses 3 to 5 %.
 */
#ifndef BENCH_TRACE_SYNTHETIC_H
#define BENCH_TRACE_SYNTHETIC_H

#include <stdint.h>

#include "profiles/table.h"

enum {
	TRACE_SYNTHETIC_COLUMNS = 40,
	TRACE_SYNTHETIC_TASKS = 32,
	TRACE_SYNTHETIC_TICKS = 3600,
	TRACE_SYNTHETIC_PERIOD_USEC = 1000000,
};

/* In the order of a row's values. */
extern const struct sw_column
	trace_synthetic_columns[TRACE_SYNTHETIC_COLUMNS];

struct trace_synthetic;

/* NULL with errno.  The same seed gives the same trace. */
struct trace_synthetic *trace_synthetic_create(uint64_t task_count,
					       uint64_t seed);

/*
 * Get the row of a task at a tick.  Rows must be queried in order: each task
 * once in tick 0, then each task once in tick 1 and so on.  Returns -1 with
 * EINVAL for any other order, since counters accumulate.
 */
int trace_synthetic_row(struct trace_synthetic *trace, uint64_t tick,
			uint64_t task,
			uint64_t values[TRACE_SYNTHETIC_COLUMNS]);

/*
 * Return when the sampler took the task's latest row, counted from the first
 * tick: late, by an amount that shows in the row's rates.
 */
uint64_t trace_synthetic_usec(const struct trace_synthetic *trace,
			      uint64_t task);

/* NULL is allowed. */
void trace_synthetic_destroy(struct trace_synthetic *trace);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes whose trace is recorded: they compute, grow and shrink, write
 * checkpoints or read, each in a rhythm of its own.
 */
#ifndef BENCH_TRACE_WORKER_H
#define BENCH_TRACE_WORKER_H

#include <stdint.h>

struct worker_plan {
	uint64_t index;		/* selects the kind of work and the seed */
	uint64_t period_usec;	/* of the sampler: unit of its rhythm */
	uint64_t load_ppm;	/* of one CPU, while it works */
	const char *folder;	/* for its files */
};

/* Never returns; dies with its parent.  Exits 2 if it cannot work. */
_Noreturn void worker_run(const struct worker_plan *plan);

/* Remove the files that the worker may have left in the folder. */
void worker_remove_files(const struct worker_plan *plan);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes whose trace is recorded: they compute, grow and shrink, write
 * checkpoints or read, each in a rhythm of its own.
 */
#ifndef BENCH_TRACE_WORKER_H
#define BENCH_TRACE_WORKER_H

#include <stdint.h>

struct worker_plan {
	uint64_t index;		/* decides what the worker does and its seed */
	uint64_t period_usec;	/* of the sampler: the unit of its rhythm */
	uint64_t load_ppm;	/* of one CPU, while it works */
	const char *folder;	/* for its files */
};

/* Never returns; ends with its parent.  Exits 2 when it cannot work. */
_Noreturn void worker_run(const struct worker_plan *plan);

/* Removes the files that the worker may have left in the folder. */
void worker_remove_files(const struct worker_plan *plan);

#endif

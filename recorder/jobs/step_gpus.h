/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How busy the GPUs that Slurm gave to a step were, sample after sample. */
#ifndef SW_RECORDER_STEP_GPUS_H
#define SW_RECORDER_STEP_GPUS_H

#include <stdint.h>

struct sw_shared;

struct sw_rows;

/* Who the rows of a source are about is asked once. */
enum { SW_STEP_GPU_ROWS = 96 };

/* All zero is empty. */
struct sw_step_gpus {
	uint64_t last_usec; /* of the last sample; 0: none */
	/* Of all of them, summed: time that was seen, and was busy of that. */
	uint64_t seen_usec, busy_usec;
	uint64_t used;	/* as bits: a process of the step was on it */
	/* The same of the busiest in each sample. */
	uint64_t any_seen_usec, any_busy_usec;
	uint64_t memory_bytes; /* in use on the fullest one at most; 0 */
	uint8_t number[SW_STEP_GPU_ROWS]; /* of a row, and 1; 0: not asked */
};

/*
 * A sample at now_usec of a step that was given so many GPUs, SW_MISSING where
 * none; list is "0,3", in PCI bus order, "" where that is not known: then they
 * are seen only where the node has no others.  own: rows of NVIDIA's GPUs on
 * which the step has processes, or NULL: they are the step's if it was given
 * none.
 */
void sw_step_gpus_take(struct sw_step_gpus *gpus, struct sw_shared *shared,
		       uint64_t count, const char *list,
		       const struct sw_rows *own, uint64_t now_usec);

#endif

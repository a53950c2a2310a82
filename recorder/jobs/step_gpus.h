/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measure how busy the GPUs were that Slurm gave to a step, sample by
 * sample. */
#ifndef SW_RECORDER_STEP_GPUS_H
#define SW_RECORDER_STEP_GPUS_H

#include <stdint.h>

struct sw_shared;

struct sw_rows;

/* The subject of each row is looked up once. */
enum { SW_STEP_GPU_ROWS = 96 };

/* All zero is empty. */
struct sw_step_gpus {
	uint64_t last_usec; /* of the last sample; 0: none */
	/* Sums over all GPUs: observed time, and the busy part of it */
	uint64_t seen_usec, busy_usec;
	uint64_t used;	/* as bits: GPUs on which the step had a process */
	/* The same for the busiest GPU of each sample */
	uint64_t any_seen_usec, any_busy_usec;
	uint64_t memory_bytes; /* maximum in use on the fullest GPU; 0 */
	uint8_t number[SW_STEP_GPU_ROWS]; /* of a row, plus 1; 0: not looked
					   * up */
};

/*
 * Add a sample at now_usec of a step that was given count GPUs, SW_MISSING:
 * none; list is "0,3", in PCI bus order, or "" if unknown: then they are only
 * observed if the node has no others.  own: rows of NVIDIA GPUs on which the
 * step has processes, or NULL; they count as the step's if it was given none.
 */
void sw_step_gpus_take(struct sw_step_gpus *gpus, struct sw_shared *shared,
		       uint64_t count, const char *list,
		       const struct sw_rows *own, uint64_t now_usec);

#endif

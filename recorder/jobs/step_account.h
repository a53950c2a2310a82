/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a step's time went to, sample after sample, and what it moved at most:
 * sums for its row of the summaries, which no profile is needed for.
 */
#ifndef SW_RECORDER_STEP_ACCOUNT_H
#define SW_RECORDER_STEP_ACCOUNT_H

#include <stdint.h>

#include "common/step_limits.h"
#include "recorder/jobs/step_gpus.h"
#include "recorder/jobs/step_link.h"
#include "recorder/sampler/sampler.h"

/* All zero is empty. */
struct sw_step_account {
	struct sw_step_limits limits;
	struct sw_step_gpus gpus;
	struct sw_step_link link;
	struct sw_step_reading fast;	/* a rate begins there */
	uint64_t disk_bytes_per_sec, net_bytes_per_sec; /* at most; 0 */
};

/* What a sample does not have. */
struct sw_step_given {
	uint64_t start_usec;	/* of the step */
	uint64_t asked_usec;	/* when the sample began */
	double cpus;		/* those that it may use; NAN */
	uint64_t gpu_count;	/* given to it; SW_MISSING */
	const char *gpu_list;	/* these, in PCI bus order; "" */
};

/* After a sample.  waits: what its threads waited for, NULL: that is not seen;
 * shared: the sources of the node, NULL: none. */
void sw_step_account_take(struct sw_step_account *account,
			  const struct sw_sampler *sampler,
			  struct sw_shared *shared,
			  const struct sw_wait_tally *waits,
			  const struct sw_step_given *given);

/* A reading, which the above makes of a sample. */
void sw_step_account_add(struct sw_step_account *account,
			 const struct sw_step_reading *reading);

/* At the end: what its time went to, by enum sw_limited_by; all of them
 * missing where nothing was observed. */
void sw_step_account_end(struct sw_step_account *account,
			 uint64_t usec[SW_LIMITED_BY_RESOURCES]);

#endif

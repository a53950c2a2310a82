/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Account for a step's time and its maximum transfer rates, sample by sample:
 * sums for its row of the summaries, which needs no profile.
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
	struct sw_step_reading fast;	/* start of a rate */
	uint64_t disk_bytes_per_sec, net_bytes_per_sec; /* maximum; 0 */
};

/* Values that a sample does not contain */
struct sw_step_given {
	uint64_t start_usec;	/* of the step */
	uint64_t asked_usec;	/* when the sample began */
	double cpus;		/* available; NAN */
	uint64_t gpu_count;	/* allocated; SW_MISSING */
	const char *gpu_list;	/* allocated, in PCI bus order; "" */
};

/* Add a sample.  waits: of its threads, NULL: not observed; shared: the node's
 * sources, NULL: none. */
void sw_step_account_take(struct sw_step_account *account,
			  const struct sw_sampler *sampler,
			  struct sw_shared *shared,
			  const struct sw_wait_tally *waits,
			  const struct sw_step_given *given);

/* Add a reading, which the function above makes from a sample. */
void sw_step_account_add(struct sw_step_account *account,
			 const struct sw_step_reading *reading);

/* Store the time by enum sw_limited_by at the end; all missing if nothing was
 * observed. */
void sw_step_account_end(struct sw_step_account *account,
			 uint64_t usec[SW_LIMITED_BY_RESOURCES]);

#endif

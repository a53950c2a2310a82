/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a step's time went to, sample after sample, and what it moved at most:
 * sums for its row of the summaries, which no profile is needed for.
 */
#ifndef SW_RECORDER_STEP_ACCOUNT_H
#define SW_RECORDER_STEP_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/limits.h"
#include "recorder/sampler/sampler.h"

/* Counters as last read; SW_MISSING. */
struct sw_step_reading {
	uint64_t usec; /* when: CLOCK_BOOTTIME; 0: never */
	uint64_t usage_usec, queued_usec;
	uint64_t throttled, periods; /* of the quota that holds it back */
	uint64_t io_full_usec, memory_full_usec;
	uint64_t disk_bytes, net_bytes;
	uint64_t gpu_busy_usec, gpu_seen_usec;
	bool has_waits; /* the rest is known */
	uint64_t idle_usec[SW_LIMIT_WAITS];
	uint64_t io_thread_usec, lock_thread_usec;
};

/* All zero is empty. */
struct sw_step_account {
	struct sw_step_reading last, fast; /* fast: a rate begins there */
	bool is_observed;
	double limited_usec[SW_LIMITS];
	uint64_t disk_bytes_per_sec, net_bytes_per_sec; /* at most; 0 */
};

/* The resources of sw_limit_resource(), each with a column of its own. */
enum sw_step_resource {
	SW_LIMITED_BY_CPU,
	SW_LIMITED_BY_IO,
	SW_LIMITED_BY_MEMORY,
	SW_LIMITED_BY_NETWORK,
	SW_LIMITED_BY_LOCK,
	SW_LIMITED_BY_GPU,
	SW_LIMITED_BY_NODE,
	SW_LIMITED_BY_WAITING,
	SW_STEP_RESOURCES
};

/*
 * After a sample, which began at asked_usec.  cpus: those that it may use, NAN;
 * waits: what its threads waited for, NULL where that is not seen.
 */
void sw_step_account_take(struct sw_step_account *account,
			  const struct sw_sampler *sampler,
			  const struct sw_wait_tally *waits,
			  const struct sw_step_reading *gpus,
			  uint64_t asked_usec, double cpus);

/* What its time went to; missing, all of them, where nothing was observed. */
void sw_step_account_sum(const struct sw_step_account *account,
			 uint64_t usec[SW_STEP_RESOURCES]);

#endif

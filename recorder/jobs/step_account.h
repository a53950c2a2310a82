/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a step's time went to, sample after sample, and what it moved at most:
 * sums for its row of the summaries, which no profile is needed for.  What the
 * analyzer knows of all of the run before it looks at a part is known here only
 * at its end; until then both is counted.
 */
#ifndef SW_RECORDER_STEP_ACCOUNT_H
#define SW_RECORDER_STEP_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/limits.h"
#include "common/limits_looks.h"
#include "recorder/sampler/sampler.h"

/* Counters as last read; SW_MISSING. */
struct sw_step_reading {
	uint64_t usec; /* when: CLOCK_BOOTTIME; 0: never */
	uint64_t usage_usec, queued_usec;
	uint64_t throttled, periods; /* of the quota that holds it back */
	uint64_t io_full_usec, memory_full_usec;
	uint64_t disk_bytes, net_bytes;
	uint64_t read_bytes; /* from disks */
	uint64_t refaults;   /* pages of it that had been in memory */
	uint64_t gpu_busy_usec, gpu_seen_usec;
	uint64_t link_bytes_per_sec; /* of the link of its node; 0 */
	bool has_waits; /* the rest is known */
	uint64_t idle_usec[SW_LIMIT_WAITS];
	uint64_t io_thread_usec, lock_thread_usec;
};

/* All zero is empty. */
struct sw_step_account {
	struct sw_step_reading last, fast; /* fast: a rate begins there */
	bool is_observed;
	double limited_usec[2][SW_LIMITS]; /* [1]: its threads take turns */
	struct sw_crowd crowd;
	struct sw_worker_look workers;	/* the last that saw all of them */
	bool are_workers_all;
	uint64_t workers_ran;	/* before the last look that knew; 0: none */
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

/* A look at its threads; each is given once. */
struct sw_step_look {
	uint64_t threads, cpus; /* as the columns of series.runnable */
	struct sw_worker_look workers;
	uint64_t workers_ran; /* of these, since the look before */
	uint64_t step_usec; /* the CPU time of the step then */
};
void sw_step_account_look(struct sw_step_account *account,
			  const struct sw_step_look *look);

/* A sample.  cpus: those that it may use, NAN. */
void sw_step_account_add(struct sw_step_account *account,
			 const struct sw_step_reading *now, double cpus);

/* What a sample does not have. */
struct sw_step_given {
	uint64_t start_usec;	/* of the step */
	uint64_t asked_usec;	/* when the sample began */
	uint64_t gpu_busy_usec, gpu_seen_usec;
	double cpus;		/* those that it may use; NAN */
};

/* What it has moved until the last sample; SW_MISSING. */
uint64_t sw_step_account_net_bytes(const struct sw_sampler *sampler);

/*
 * After a sample.  waits: what its threads waited for, NULL where that is not
 * seen; link_bytes_per_sec: of the link of its node, 0 where it is not known.
 */
void sw_step_account_take(struct sw_step_account *account,
			  const struct sw_sampler *sampler,
			  const struct sw_wait_tally *waits,
			  const struct sw_step_given *given,
			  uint64_t link_bytes_per_sec);

/* What its time went to; missing, all of them, where nothing was observed. */
void sw_step_account_sum(const struct sw_step_account *account,
			 uint64_t usec[SW_STEP_RESOURCES]);

#endif

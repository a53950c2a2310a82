/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measurements of a past run, the only input of advice.  A run is a job, a
 * step, or a task of a workflow.  NAN is "not known", never 0.
 */
#ifndef SW_ADVICE_RUN_H
#define SW_ADVICE_RUN_H

#include <stdbool.h>
#include <stddef.h>

enum sw_run_state {
	SW_RUN_UNKNOWN,
	SW_RUN_COMPLETED,
	SW_RUN_FAILED,		/* by itself */
	SW_RUN_OUT_OF_MEMORY,
	SW_RUN_TIMEOUT,		/* killed at its time limit */
	SW_RUN_CANCELLED,	/* by a person, node failure or preemption */
};

/* Unit of the memory request; a number in struct sw_run. */
enum sw_memory_per {
	SW_MEMORY_PER_UNKNOWN,
	SW_MEMORY_PER_NODE, /* --mem */
	SW_MEMORY_PER_CPU,  /* --mem-per-cpu */
	SW_MEMORY_PER_GPU,  /* --mem-per-gpu */
};

/*
 * Wall time by the number of busy CPUs: busy_seconds[i] has more than
 * sw_busy_cores[i - 1] and at most sw_busy_cores[i].
 */
enum { SW_BUSY_LEVELS = 18 };
extern const double sw_busy_cores[SW_BUSY_LEVELS];

struct sw_run {
	enum sw_run_state state;
	double start_seconds, end_seconds;	/* since the Epoch */
	double elapsed_seconds;
	double submit_seconds;	/* NAN: it may have waited */
	double exit_code;	/* 128 + n: killed by signal n */
	unsigned attempt;	/* from 1; 0: not known */

	/* Memory on its fullest node; need as defined by DESIGN's truth 1. */
	double requested_bytes;
	double memory_per; /* enum sw_memory_per; NAN */
	/*
	 * Request of a retry's first attempt: a request that grew because that
	 * failed reveals the need.  NAN: no retry, or not known.
	 */
	double first_requested_bytes;
	double need_bytes, need_upper_bytes;
	/*
	 * What it had and was enough, where samples do not say how much of that
	 * it needed: less is not known to do.  NAN: they do, or it was measured.
	 */
	double open_bytes;
	bool is_lower_bound;	/* of the need: killed or held at the limit */

	double requested_seconds;	/* the time limit */

	double requested_cores, used_core_seconds, peak_cores;
	bool has_busy;			/* busy_seconds is known */
	double busy_seconds[SW_BUSY_LEVELS];

	double nodes, tasks;
	double slowest_task_ratio;	/* CPU time to the tasks' mean */

	double requested_gpus, used_gpus;
	double gpu_busy_ratio;		/* mean over used GPUs, 0 to 1 */
	double gpu_memory_bytes;	/* on its fullest GPU */

	/* Shares of its time limited by each, 0 to 1. */
	double cpu_share, io_share, network_share, gpu_share;
	/* Share of its time waiting for others, or of its CPU time spinning. */
	double waiting_share;

	double input_bytes;	/* known before it starts */
};

/* A run about which nothing is known. */
extern const struct sw_run sw_run_unknown;

/* Return the request of the first attempt, if known. */
double sw_run_first_request(const struct sw_run *run);

bool sw_run_is_retry(const struct sw_run *run);

/* Is there no evidence that it failed? */
bool sw_run_ended_well(const struct sw_run *run);

/* Was it killed, or held at its limit, for lack of memory? */
bool sw_run_had_too_little(const struct sw_run *run);

/* Runs of one group, ordered by end time. */
struct sw_runs {
	const struct sw_run *items;
	size_t count;
};

/* Are input sizes known for at least half of the runs? */
bool sw_runs_have_inputs(const struct sw_runs *runs);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times of past runs.  One that did not come to its end by itself, or failed,
 * would have taken at least as long as it did; no more is known.
 */
#include "advice/time_runs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Slurm looks at time limits now and then, and kills late. */
static const double limit_slack = 0.995;

static const double absurd_seconds = 10 * 366 * 86400.0;

static bool is_at_limit(const struct sw_run *run)
{
	if (run->state == SW_RUN_TIMEOUT)
		return true;
	return run->state != SW_RUN_COMPLETED &&
		run->requested_seconds > 0 &&
		run->elapsed_seconds >= limit_slack * run->requested_seconds;
}

static struct sw_time_run time_of(const struct sw_run *run)
{
	bool is_timeout = is_at_limit(run);
	bool is_end = run->state == SW_RUN_COMPLETED ||
		run->state == SW_RUN_UNKNOWN;

	return (struct sw_time_run){
		.seconds = run->elapsed_seconds,
		.is_lower_bound = is_timeout || !is_end,
		.is_timeout = is_timeout,
		.limit_seconds = run->requested_seconds,
		.cores = run->requested_cores,
		.input_bytes = run->input_bytes,
	};
}

int sw_time_runs_init(struct sw_time_runs *times, const struct sw_runs *runs)
{
	size_t first = runs->count > SW_TIME_RUNS_MAX ?
		runs->count - SW_TIME_RUNS_MAX : 0;

	*times = (struct sw_time_runs){
		.items = calloc(runs->count - first + 1,
				sizeof(*times->items)),
	};
	if (!times->items) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = first; i < runs->count; i++) {
		struct sw_time_run run = time_of(&runs->items[i]);

		if (!(run.seconds > 0) || run.seconds > absurd_seconds) {
			times->left_out++;
			continue;
		}
		times->items[times->count++] = run;
		times->ends += !run.is_lower_bound;
		times->timeouts += run.is_timeout;
	}
	return 0;
}

void sw_time_runs_fini(struct sw_time_runs *times)
{
	free(times->items);
	*times = (struct sw_time_runs){ 0 };
}

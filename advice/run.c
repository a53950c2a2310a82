/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defaults of an unknown run, and the request of its first attempt. */
#include "advice/run.h"

#include <math.h>

/* Dense at usual choices: small numbers, then halves and doubles. */
const double sw_busy_cores[SW_BUSY_LEVELS] = {
	0.5, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256,
	INFINITY,
};

const struct sw_run sw_run_unknown = {
	.start_seconds = NAN,
	.end_seconds = NAN,
	.elapsed_seconds = NAN,
	.submit_seconds = NAN,
	.exit_code = NAN,
	.requested_bytes = NAN,
	.first_requested_bytes = NAN,
	.need_bytes = NAN,
	.need_upper_bytes = NAN,
	.open_bytes = NAN,
	.requested_seconds = NAN,
	.requested_cores = NAN,
	.used_core_seconds = NAN,
	.peak_cores = NAN,
	.nodes = NAN,
	.tasks = NAN,
	.slowest_task_ratio = NAN,
	.requested_gpus = NAN,
	.used_gpus = NAN,
	.gpu_busy_ratio = NAN,
	.gpu_memory_bytes = NAN,
	.cpu_share = NAN,
	.io_share = NAN,
	.network_share = NAN,
	.gpu_share = NAN,
	.waiting_share = NAN,
	.input_bytes = NAN,
	.memory_per = NAN,
};

double sw_run_first_request(const struct sw_run *run)
{
	return isnan(run->first_requested_bytes) ? run->requested_bytes
						 : run->first_requested_bytes;
}

bool sw_run_is_retry(const struct sw_run *run)
{
	return run->attempt > 1 || !isnan(run->first_requested_bytes);
}

bool sw_run_ended_well(const struct sw_run *run)
{
	return run->state == SW_RUN_COMPLETED || run->state == SW_RUN_UNKNOWN;
}

bool sw_run_had_too_little(const struct sw_run *run)
{
	return run->is_lower_bound && run->need_bytes > 0 &&
		isfinite(run->need_bytes) &&
		(run->state == SW_RUN_OUT_OF_MEMORY ||
		 run->need_bytes >= run->requested_bytes);
}

bool sw_runs_have_inputs(const struct sw_runs *runs)
{
	size_t known = 0, i;

	for (i = 0; i < runs->count; i++)
		known += runs->items[i].input_bytes >= 0;
	return known > 0 && 2 * known >= runs->count;
}

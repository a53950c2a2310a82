/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fill a fingerprint from a job's rows, as from the view of its profiles. */
#include "analyzer/summaries/summary_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "common/exit_status.h"
#include "common/units.h"

static uint64_t code_of(uint64_t wait_status)
{
	int status = (int)wait_status;

	if (sw_is_missing(wait_status))
		return SW_MISSING;
	return WIFSIGNALED(status) ?
		       SW_STATUS_SIGNAL + (uint64_t)WTERMSIG(status) :
		       (uint64_t)WEXITSTATUS(status);
}

/* The script's, or the highest of the steps. */
static uint64_t exit_code_of(const struct sw_step_summary *rows, size_t count)
{
	uint64_t highest = SW_MISSING;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!strcmp(rows[i].step, "batch") ||
		    !strcmp(rows[i].step, "interactive"))
			return code_of(rows[i].wait_status);
		if (strcmp(rows[i].step, "extern") != 0)
			highest = sw_max_u64(highest,
					     code_of(rows[i].wait_status));
	}
	return highest;
}

static bool has_failure(const struct sw_step_summary *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (*sw_text(rows[i].failed_cause) || rows[i].oom_kills > 0)
			return true;
	}
	return false;
}

static void put_limited(struct sw_fingerprint *print,
			const struct sw_step_summary *rows, size_t count)
{
	double sum[SW_LIMITED_BY_RESOURCES] = { 0 }, all = 0;
	size_t i, j;

	for (i = 0; i < count; i++) {
		if (isnan(rows[i].limited[0]))
			continue;
		for (j = 0; j < SW_LIMITED_BY_RESOURCES; j++) {
			sum[j] += rows[i].limited[j];
			all += rows[i].limited[j];
		}
	}
	for (j = 0; all > 0 && j < SW_LIMITED_BY_RESOURCES; j++)
		print->limited[j] = sum[j] / all;
}

static void put_bytes(struct sw_fingerprint *print,
		      const struct sw_step_summary *rows, size_t count)
{
	uint64_t *amount = print->amount;
	size_t i;

	for (i = 0; i < count; i++) {
		amount[SW_STEP_READ_BYTES] =
			sw_sum_u64(amount[SW_STEP_READ_BYTES],
				   sw_whole_real(rows[i].read_bytes));
		amount[SW_STEP_WRITTEN_BYTES] =
			sw_sum_u64(amount[SW_STEP_WRITTEN_BYTES],
				   sw_whole_real(rows[i].written_bytes));
	}
}

static void put_node(struct sw_fingerprint *print,
		     const struct sw_step_summary *rows, size_t count)
{
	size_t i;

	for (i = 1; i < count; i++) {
		if (strcmp(rows[i].node, rows[0].node) != 0)
			return;
	}
	snprintf(print->environment.node, sizeof(print->environment.node),
		 "%s", rows[0].node);
}

void sw_fingerprint_of_summaries(struct sw_fingerprint *print,
				 const struct sw_run *run,
				 const struct sw_step_summary *rows,
				 size_t count)
{
	sw_fingerprint_init(print);
	print->state = run->state;
	print->exit_code = exit_code_of(rows, count);
	print->has_failure = has_failure(rows, count);
	print->input_bytes = sw_whole_real(run->input_bytes);
	print->need_is_lower_bound = run->is_lower_bound;
	print->amount[SW_STEP_ELAPSED_USEC] =
		sw_whole_real(run->elapsed_seconds * SW_USEC_PER_SEC);
	print->amount[SW_STEP_CPU_USEC] =
		sw_whole_real(run->used_core_seconds * SW_USEC_PER_SEC);
	print->amount[SW_STEP_NEED_BYTES] =
		sw_whole_real(sw_step_summaries_need_low(rows, count));
	print->environment.cpus_milli =
		sw_whole_real(run->requested_cores * 1000);
	put_bytes(print, rows, count);
	put_limited(print, rows, count);
	put_node(print, rows, count);
}

struct sw_job_print_key sw_job_print_key_of(const struct sw_step_summary *rows,
					    size_t count)
{
	struct sw_job_print_key key = {
		.cluster = rows->cluster,
		.job_id = rows->job.job_id,
		.restart = sw_step_summary_restarts(rows),
	};
	size_t i;

	for (i = 0; i < count; i++)
		key.steps += !rows[i].is_correction;
	return key;
}

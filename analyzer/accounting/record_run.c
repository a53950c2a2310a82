/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert an accounting record to a run. */
#include "analyzer/accounting/record_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_end.h"
#include "analyzer/accounting/record_need.h"
#include "analyzer/accounting/run_state.h"
#include "common/exit_status.h"
#include "common/units.h"

/* With fewer than two samples their maximum is not reliable. */
#define SAMPLED_SECONDS 60.0

enum { RESTARTS_MAX = 10000 };

static double or_else(double value, double other)
{
	return isnan(value) ? other : value;
}

double sw_record_had_bytes(const struct sw_job_record *job)
{
	double nodes = fmax(1, sw_real_positive(job->node_count));
	double bytes = sw_real_positive(job->allocated.memory_bytes) / nodes;

	if (!isnan(bytes))
		return bytes;
	bytes = sw_real_positive(job->requested_bytes);
	if (job->requested_of == SW_ACCT_OF_NODE)
		return bytes;
	if (job->requested_of == SW_ACCT_OF_CPU)
		bytes *= or_else(sw_real_positive(job->allocated.cpus),
				 sw_real_positive(job->requested.cpus));
	return bytes / nodes;
}

/*
 * A run that succeeded cannot have needed more than it had: larger values of
 * Slurm's are page cache (23.11 and later), huge pages counted twice (22.05),
 * or pages that processes share.
 */
static void put_what_was_enough(struct sw_run *run,
				const struct sw_record_need *need)
{
	double had = run->requested_bytes;

	run->need_bytes = fmin(need->low_bytes, had);
	run->need_upper_bytes = isnan(need->high_bytes) ? NAN : had;
	if (need->low_bytes < had)
		run->open_bytes = had;
}

/* Return the memory that was insufficient: a step may have had less than its
 * job. */
static double oom_bytes(const struct sw_job_record *job, double had)
{
	double most = NAN, own, nodes;
	size_t i;

	for (i = 0; i < job->step_count; i++) {
		const struct sw_step_record *step = &job->steps[i];

		if (!sw_record_end_is_oom(&step->end))
			continue;
		nodes = fmax(1, sw_real_positive(step->node_count));
		own = sw_real_positive(step->allocated.memory_bytes) / nodes;
		most = fmax(most, isnan(own) ? had : fmin(own, had));
	}
	return or_else(most, had);
}

static void put_need(struct sw_run *run, const struct sw_job_record *job,
		     const struct sw_record_need *need)
{
	double had = run->requested_bytes;

	if (isnan(need->low_bytes) && run->state != SW_RUN_OUT_OF_MEMORY)
		return;
	if (run->state == SW_RUN_COMPLETED && had > 0 &&
	    !(need->high_bytes <= had)) {
		put_what_was_enough(run, need);
		return;
	}
	run->need_bytes = or_else(need->high_bytes, need->low_bytes);
	if (run->state == SW_RUN_OUT_OF_MEMORY)
		run->need_bytes = fmax(need->low_bytes, oom_bytes(job, had));
	run->need_upper_bytes = run->need_bytes;
	run->is_lower_bound = run->state == SW_RUN_OUT_OF_MEMORY ||
			      run->elapsed_seconds < SAMPLED_SECONDS;
}

static double exit_code_of(const struct sw_record_end *end)
{
	uint64_t signal = sw_record_end_signal(end);

	return sw_is_missing(signal) ? sw_real_u64(end->exit_code) :
				       SW_STATUS_SIGNAL + (double)signal;
}

/* Parse "stepwell:input=3.5G" in the user's comment. */
static double input_of(const char *comment)
{
	static const char mark[] = "stepwell:input=";
	const char *at = strstr(comment, mark);
	char text[32];

	if (!at)
		return NAN;
	at += sizeof(mark) - 1;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, " ,;"), at);
	return sw_acct_text_bytes(text);
}

static double tasks_of(const struct sw_job_record *job)
{
	double tasks = NAN;
	size_t i;

	for (i = 0; i < job->step_count; i++)
		tasks = fmax(tasks,
			     sw_real_positive(job->steps[i].task_count));
	return tasks;
}

static void put_request(struct sw_run *run, const struct sw_job_record *job)
{
	run->requested_bytes = sw_record_had_bytes(job);
	run->memory_per = sw_acct_memory_per(job->requested_of);
	run->requested_cores =
		or_else(sw_real_positive(job->allocated.cpus),
			sw_real_positive(job->requested.cpus));
	run->requested_gpus = or_else(sw_real_positive(job->allocated.gpus),
				      sw_real_positive(job->requested.gpus));
	if (job->limit_kind == SW_TIME_LIMIT_SET)
		run->requested_seconds = sw_real_positive(job->limit_seconds);
}

/* A run in which a step ran out of memory is not complete. */
static enum sw_run_state state_of(const struct sw_job_record *job)
{
	if (job->end.state == SW_JOB_COMPLETED && sw_record_is_silent_oom(job))
		return SW_RUN_OUT_OF_MEMORY;
	return sw_run_state_of_job(job->end.state);
}

void sw_record_run(struct sw_run *run, const struct sw_job_record *job)
{
	const struct sw_record_need need = sw_record_need(job);
	uint64_t restarts = job->key.restart_count;

	*run = sw_run_unknown;
	run->state = state_of(job);
	run->submit_seconds = sw_real_positive(job->submit_seconds);
	run->start_seconds = sw_real_positive(job->start_seconds);
	run->end_seconds = sw_real_positive(job->end_seconds);
	run->elapsed_seconds = sw_real_u64(job->elapsed_seconds);
	run->exit_code = exit_code_of(&job->end);
	if (restarts < RESTARTS_MAX)
		run->attempt = (unsigned)restarts + 1;
	if (!job->used.is_cpu_impossible && need.accounted_ratio >= 1)
		run->used_core_seconds = sw_real_u64(job->used.cpu_usec) /
					 (double)SW_USEC_PER_SEC;
	run->nodes = sw_real_positive(job->node_count);
	run->tasks = tasks_of(job);
	run->input_bytes = input_of(job->comment);
	put_request(run, job);
	put_need(run, job, &need);
}

/* Return the component in "0+1", the part of step 0 in component 1; SW_MISSING:
 * no parts. */
static uint64_t component_of(const char *step)
{
	const char *plus = strchr(step, '+');

	return plus ? strtoull(plus + 1, NULL, 10) : SW_MISSING;
}

struct sw_job_record sw_record_of_step(const struct sw_job_record *job,
				       size_t i)
{
	struct sw_step_record *step = &job->steps[i];
	struct sw_job_record as_job = {
		.id = step->id,
		.key = job->key,
		.cluster = job->cluster,
		.user = "",
		.account = "",
		.partition = "",
		.qos = "",
		.node_list = step->node_list,
		.end = step->end,
		.derived_exit_code = SW_MISSING,
		.derived_signal = SW_MISSING,
		.start_seconds = step->start_seconds,
		.end_seconds = step->end_seconds,
		.submit_seconds = SW_MISSING,
		.eligible_seconds = SW_MISSING,
		.elapsed_seconds = step->elapsed_seconds,
		.limit_seconds = SW_MISSING,
		.requested_bytes = SW_MISSING,
		.requested_of = SW_ACCT_OF_NODE,
		.requested = { SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING,
			       "" },
		.allocated = step->allocated,
		.node_count = step->node_count,
		.task_count = step->task_count,
		.used = step->used,
		.steps = step,
		.step_count = 1,
		.comment = "",
		.work_dir = "",
		.name = step->name,
	};
	double had = sw_record_had_bytes(job);

	as_job.key.het_component = component_of(step->id.step);
	/* A step without its own request may use all that the job has. */
	if (had > 0)
		as_job.requested_bytes = (uint64_t)had;
	return as_job;
}

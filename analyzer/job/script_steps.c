/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find steps that Slurm ended with their batch script: a script has to wait for
 * steps started in the background.  Also find the step whose failure the script
 * passed on, which its srun only repeats.  Not evaluated unless the script's
 * end is known.
 */
#include "analyzer/job/script_steps.h"

#include <signal.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "common/delta.h"
#include "common/exit_status.h"
#include "common/units.h"

/* Clocks of two nodes differ by less. */
#define CLOCKS_USEC (2 * SW_USEC_PER_SEC)

static uint64_t realtime(const struct sw_view *view, uint64_t usec)
{
	return sw_view_realtime_usec(view, usec);
}

/* Killed by a signal that Slurm ends steps with, or exited because of one. */
static bool was_ended(const struct sw_view *step)
{
	if (step->state == SW_STATE_KILLED)
		return step->signal == SIGTERM || step->signal == SIGKILL;
	return step->state == SW_STATE_FAILED &&
	       (step->exit_code == SW_STATUS_SIGNAL + SIGTERM ||
		step->exit_code == SW_STATUS_SIGNAL + SIGKILL);
}

static bool is_numbered(const struct sw_view *step)
{
	return step->step_id && strspn(step->step_id, "0123456789") > 0;
}

static bool is_unawaited(const struct sw_view *step,
			 const struct sw_view *batch)
{
	uint64_t batch_end = realtime(batch, batch->end_usec);
	uint64_t start = realtime(step, step->start_usec);
	uint64_t end = realtime(step, step->end_usec);

	return batch->state == SW_STATE_COMPLETED &&
	       !sw_view_is_past_limit(batch) && is_numbered(step) &&
	       was_ended(step) && !sw_is_missing(batch_end) &&
	       !sw_is_missing(start) && !sw_is_missing(end) &&
	       start < batch_end && end + CLOCKS_USEC >= batch_end;
}

/* True for its own status, or a shell's or srun's status for its signal. */
static bool has_end_of(const struct sw_view *step, const struct sw_view *batch)
{
	if (batch->state != SW_STATE_FAILED || !is_numbered(step))
		return false;
	if (step->state == SW_STATE_KILLED)
		return batch->exit_code == SW_STATUS_SIGNAL + step->signal ||
		       (step->end_oom_kills > 0 && step->signal == SIGKILL);
	return step->state == SW_STATE_FAILED &&
	       step->exit_code == batch->exit_code;
}

/* NULL if not seen. */
static struct sw_view *find_batch(const struct sw_job *job)
{
	size_t i, j;

	for (i = 0; i < job->node_count; i++) {
		for (j = 0; j < job->nodes[i].step_count; j++) {
			struct sw_view *step = &job->nodes[i].steps[j];

			if (step->step_id && !strcmp(step->step_id, "batch"))
				return step;
		}
	}
	return NULL;
}

const struct sw_view *sw_job_failed_step(const struct sw_job *job)
{
	const struct sw_view *batch = find_batch(job), *first = NULL;
	size_t i, j;

	for (i = 0; batch && i < job->node_count; i++) {
		for (j = 0; j < job->nodes[i].step_count; j++) {
			const struct sw_view *step = &job->nodes[i].steps[j];

			if (has_end_of(step, batch) &&
			    (!first ||
			     realtime(step, step->end_usec) <
				     realtime(first, first->end_usec)))
				first = step;
		}
	}
	return first;
}

void sw_job_mark_script_steps(struct sw_job *job)
{
	struct sw_view *batch = find_batch(job);
	size_t i, j;

	if (!batch)
		return;
	batch->slurm.is_told_by_step = sw_job_failed_step(job) != NULL;
	for (i = 0; i < job->node_count; i++) {
		for (j = 0; j < job->nodes[i].step_count; j++) {
			struct sw_view *step = &job->nodes[i].steps[j];

			step->slurm.is_unawaited = is_unawaited(step, batch);
			batch->slurm.is_told_by_step |=
				step->slurm.is_unawaited;
		}
	}
}

void sw_job_count_script_steps(struct sw_job *job)
{
	struct sw_view *batch = find_batch(job);
	size_t i;

	for (i = 0; batch && i < job->step_count; i++) {
		const struct sw_view *step = &job->steps[i].view;

		if (!is_numbered(step))
			continue;
		batch->slurm.launched_steps++;
		batch->slurm.launched_cpu_usec = sw_add_u64(
			batch->slurm.launched_cpu_usec, step->cpu.used_usec);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps that Slurm ended since their batch script had: it ends a job with its
 * script, and a script that starts steps in the background has to wait.
 * Nothing is said without the script's own end.
 */
#include "analyzer/job/unawaited.h"

#include <signal.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "common/units.h"

/* The clocks of two nodes differ by less. */
#define CLOCKS_USEC (2 * SW_USEC_PER_SEC)

enum { SHELL_SIGNAL = 128 };	/* POSIX.1-2017, Shell, 2.8.2 */

static uint64_t realtime(const struct sw_view *view, uint64_t usec)
{
	return sw_view_realtime_usec(view, usec);
}

/* By a signal of those that Slurm ends steps with, or after one. */
static bool was_ended(const struct sw_view *step)
{
	if (step->state == SW_STATE_KILLED)
		return step->signal == SIGTERM || step->signal == SIGKILL;
	return step->state == SW_STATE_FAILED &&
	       (step->exit_code == SHELL_SIGNAL + SIGTERM ||
		step->exit_code == SHELL_SIGNAL + SIGKILL);
}

static bool is_unawaited(const struct sw_view *step,
			 const struct sw_view *batch)
{
	uint64_t batch_end = realtime(batch, batch->end_usec);
	uint64_t start = realtime(step, step->start_usec);
	uint64_t end = realtime(step, step->end_usec);

	return step->step_id && strspn(step->step_id, "0123456789") > 0 &&
	       was_ended(step) && !sw_is_missing(batch_end) &&
	       !sw_is_missing(start) && !sw_is_missing(end) &&
	       start < batch_end && end + CLOCKS_USEC >= batch_end;
}

/* NULL: it was not seen, or a signal or the time limit ended it, too. */
static const struct sw_view *find_batch(const struct sw_job *job)
{
	size_t i, j;

	for (i = 0; i < job->node_count; i++) {
		for (j = 0; j < job->nodes[i].step_count; j++) {
			const struct sw_view *step = &job->nodes[i].steps[j];

			if (step->step_id && !strcmp(step->step_id, "batch"))
				return step->state == SW_STATE_COMPLETED &&
						       !sw_view_is_past_limit(
							       step)
					       ? step
					       : NULL;
		}
	}
	return NULL;
}

void sw_job_mark_unawaited(struct sw_job *job)
{
	const struct sw_view *batch = find_batch(job);
	size_t i, j;

	for (i = 0; batch && i < job->node_count; i++) {
		for (j = 0; j < job->nodes[i].step_count; j++) {
			struct sw_view *step = &job->nodes[i].steps[j];

			step->slurm.is_unawaited = is_unawaited(step, batch);
		}
	}
}

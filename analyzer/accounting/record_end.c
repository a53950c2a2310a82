/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine how jobs ended from their steps. */
#include "analyzer/accounting/record_end.h"

#include <string.h>

enum {
	SIGNALS = 64,		/* above are marks of Slurm's */
	SIGNAL_OF_OOM = 125,	/* SIG_OOM: an OOM kill */
};

uint64_t sw_record_end_signal(const struct sw_record_end *end)
{
	return sw_zero_if_missing(end->signal) && end->signal <= SIGNALS ?
		       end->signal : SW_MISSING;
}

uint64_t sw_record_end_exit_code(const struct sw_record_end *end)
{
	return sw_is_missing(sw_record_end_signal(end)) ? end->exit_code :
							  SW_MISSING;
}

bool sw_record_end_is_oom(const struct sw_record_end *end)
{
	return end->state == SW_JOB_OUT_OF_MEMORY ||
	       (end->state == SW_JOB_FAILED && end->signal == SIGNAL_OF_OOM);
}

bool sw_record_is_silent_oom(const struct sw_job_record *job)
{
	size_t i;

	if (job->end.state != SW_JOB_COMPLETED)
		return false;
	if (job->derived_signal == SIGNAL_OF_OOM)
		return true;
	for (i = 0; i < job->step_count; i++) {
		if (sw_record_end_is_oom(&job->steps[i].end))
			return true;
	}
	return false;
}

static bool is_failure(const struct sw_job_record *job,
		       const struct sw_step_record *step)
{
	if (!strcmp(step->id.step, "extern"))
		return false;
	if (job->end.state == SW_JOB_COMPLETED &&
	    !sw_zero_if_missing(step->end.signal))
		return step->end.state == SW_JOB_OUT_OF_MEMORY;
	return step->end.state == SW_JOB_FAILED ||
	       step->end.state == SW_JOB_OUT_OF_MEMORY;
}

/* In a tie prefer a step that srun started: the script passes its status on. */
static bool is_before(const struct sw_step_record *a,
		      const struct sw_step_record *b)
{
	if (a->end_seconds != b->end_seconds)
		return a->end_seconds < b->end_seconds;
	return strcmp(b->id.step, "batch") == 0;
}

const struct sw_step_record *
sw_record_failed_step(const struct sw_job_record *job)
{
	const struct sw_step_record *first = NULL;
	size_t i;

	for (i = 0; i < job->step_count; i++) {
		if (is_failure(job, &job->steps[i]) &&
		    (!first || is_before(&job->steps[i], first)))
			first = &job->steps[i];
	}
	return first;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Apply Slurm's record of the end of a job and its steps. */
#include "analyzer/job/job_record.h"

#include <stdio.h>
#include <string.h>

#include "common/delta.h"
#include "common/units.h"
#include "common/user.h"

static void set_view(struct sw_view *view, const struct sw_acct *acct,
		     const struct sw_job_record *job)
{
	view->slurm.job_record = job;
	view->slurm.record = view->step_id ?
		sw_acct_find_step(acct, job, view->step_id) : NULL;
}

/* The job's record for all steps, the step's for a single one. */
static void set_total(struct sw_view *total, const struct sw_job *job,
		      const struct sw_acct *acct,
		      const struct sw_job_record *row)
{
	set_view(total, acct, row);
	if (job->is_one_step)
		return;
	total->slurm.record = row;
	if (sw_is_missing(total->requested_time_usec))
		total->requested_time_usec =
			sw_usec_of_seconds(row->limit_seconds);
}

static uint64_t middle_seconds(const struct sw_view *view)
{
	if (sw_is_missing(view->start_realtime_usec))
		return SW_MISSING;
	return (view->start_realtime_usec +
		sw_zero_if_missing(view->elapsed_usec) / 2) / SW_USEC_PER_SEC;
}

/* The row of the job, or of the view's component. */
static const struct sw_job_record *find_row(const struct sw_acct *acct,
					  const struct sw_job *job,
					  const struct sw_view *view)
{
	struct sw_jobid id = sw_job_key_id(&view->job);

	/* The end of the script is that of the whole job. */
	if (job->component_count > 1 && view == &job->total)
		id.het_component = 0;
	return sw_acct_find(acct, &id, job->total.cluster,
			    middle_seconds(&job->total));
}

static void set_steps(struct sw_job *job, const struct sw_acct *acct)
{
	const struct sw_job_record *row;
	size_t i, j;

	for (i = 0; i < job->node_count; i++) {
		struct sw_node *node = &job->nodes[i];

		row = find_row(acct, job, &node->total);
		for (j = 0; row && j < node->step_count; j++)
			set_view(&node->steps[j], acct, row);
		if (row)
			set_total(&node->total, job, acct, row);
	}
	for (i = 0; i < job->step_count; i++) {
		row = find_row(acct, job, &job->steps[i].view);
		if (row)
			set_view(&job->steps[i].view, acct, row);
	}
}

void sw_job_record_set(struct sw_job *job, const struct sw_acct *acct)
{
	const struct sw_job_record *row = find_row(acct, job, &job->total);

	if (!row) {
		sw_job_record_unread(job, "sacct does not know it");
		return;
	}
	if (job->verdict.trust == SW_TRUST_CLAIM &&
	    sw_user_is(row->user, job->verdict.uid) == SW_USER_OTHER) {
		sw_job_record_unread(job, "sacct knows the job as another "
					  "user's");
		return;
	}
	snprintf(job->record_state, sizeof(job->record_state), "%s",
		 row->end.text);
	job->record = sw_acct_is_final(row) ? SW_RECORD_FINAL :
					      SW_RECORD_OPEN;
	if (job->record == SW_RECORD_OPEN)
		return;
	set_steps(job, acct);
	set_total(&job->total, job, acct, row);
}

void sw_job_record_unread(struct sw_job *job, const char *why)
{
	job->record = SW_RECORD_UNREAD;
	snprintf(job->record_state, sizeof(job->record_state), "%s", why);
}

enum sw_job_state sw_record_state(const struct sw_view *view)
{
	const struct sw_job_record *row = view->slurm.record;

	return row && sw_acct_is_final(row) ? row->end.state : SW_JOB_UNKNOWN;
}

static bool says(const struct sw_job_record *row, enum sw_job_state state)
{
	return row && row->end.state == state;
}

bool sw_record_job_says(const struct sw_view *view, enum sw_job_state state)
{
	return says(view->slurm.job_record, state);
}

bool sw_record_has_failed(const struct sw_view *view)
{
	enum sw_job_state state = sw_record_state(view);

	if (state)
		return state != SW_JOB_COMPLETED;
	return view->state == SW_STATE_FAILED ||
	       view->state == SW_STATE_KILLED;
}

const char *sw_record_silence(const struct sw_view *view)
{
	if (!view->slurm.is_slurm)
		return "The command ended with exit status 0 all the same";
	if (says(view->slurm.record, SW_JOB_COMPLETED) &&
	    says(view->slurm.job_record, SW_JOB_COMPLETED))
		return "The step ended with exit status 0 and Slurm's record "
		       "says COMPLETED, so nothing else reports it";
	if (says(view->slurm.record, SW_JOB_OUT_OF_MEMORY))
		return "The step ended with exit status 0, and Slurm recorded "
		       "OUT_OF_MEMORY for the step but not for the job";
	return "The step ended with exit status 0 all the same";
}

bool sw_view_is_past_limit(const struct sw_view *view)
{
	uint64_t end;

	if (sw_is_missing(view->slurm.limit_realtime_usec))
		return false;
	end = sw_view_realtime_usec(view, view->end_usec);
	return !sw_is_missing(end) && end >= view->slurm.limit_realtime_usec;
}

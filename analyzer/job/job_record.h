/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a job and its steps ended by Slurm's own record, beside what the kernel
 * saw of them: only Slurm knows why it ended a job.
 */
#ifndef SW_ANALYZER_JOB_RECORD_H
#define SW_ANALYZER_JOB_RECORD_H

#include "analyzer/accounting/sacct.h"
#include "analyzer/job/job.h"
#include "common/job_state.h"

/* Before the job's findings; acct must outlive the job. */
void sw_job_record_set(struct sw_job *job, const struct sw_acct *acct);

/* The record could not be read. */
void sw_job_record_unread(struct sw_job *job, const char *why);

/* Slurm's state; UNKNOWN where its record was not read or is not final. */
enum sw_job_state sw_record_state(const struct sw_view *view);

/* Is this Slurm's state of the whole job, which is what its user looks at? */
bool sw_record_job_says(const struct sw_view *view, enum sw_job_state state);

/* By Slurm's record, else by its exit status. */
bool sw_record_has_failed(const struct sw_view *view);

/*
 * "The step ended with exit status 0 all the same", and whether somebody else
 * tells of what went wrong in it.
 */
const char *sw_record_silence(const struct sw_view *view);

/* It ran until its job's time limit or longer, as far as is known. */
bool sw_view_is_past_limit(const struct sw_view *view);

#endif

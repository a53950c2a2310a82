/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends of a job and its steps in Slurm's record, in addition to those seen by
 * the kernel: only Slurm knows why it ended a job.
 */
#ifndef SW_ANALYZER_JOB_RECORD_H
#define SW_ANALYZER_JOB_RECORD_H

#include "analyzer/accounting/sacct.h"
#include "analyzer/job/job.h"
#include "common/job_state.h"

/* Call before evaluating findings; acct must outlive the job. */
void sw_job_record_set(struct sw_job *job, const struct sw_acct *acct);

/* Note that the record could not be read. */
void sw_job_record_unread(struct sw_job *job, const char *why);

/* Slurm's state; UNKNOWN where its record was not read or is not final. */
enum sw_job_state sw_record_state(const struct sw_view *view);

/* Is this Slurm's state of the whole job, which is what its user looks at? */
bool sw_record_job_says(const struct sw_view *view, enum sw_job_state state);

/* By Slurm's record, or else by exit status. */
bool sw_record_has_failed(const struct sw_view *view);

/*
 * Return "The step ended with exit status 0 all the same", and whether others
 * report what went wrong in it.
 */
const char *sw_record_silence(const struct sw_view *view);

/* True if it ran until its time limit or longer, as far as known. */
bool sw_view_is_past_limit(const struct sw_view *view);

#endif

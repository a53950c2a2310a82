/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a record says of a run, for all that learn from records. */
#ifndef SW_ANALYZER_ACCOUNTING_RECORD_RUN_H
#define SW_ANALYZER_ACCOUNTING_RECORD_RUN_H

#include "advice/run.h"
#include "analyzer/accounting/job_record.h"

/*
 * Its need is the upper end of what its samples leave open (record_need.h), for
 * less may not be enough.  Where that end is above what it had, which was
 * enough, or is not known (need_upper_bytes NAN), it is the lower end, and
 * open_bytes keeps less than it had from being advised.
 */
void sw_record_run(struct sw_run *run, const struct sw_job_record *job);

/* One step of a job as if it were a job; it has no names and no cost. */
struct sw_job_record sw_record_of_step(const struct sw_job_record *job,
				       size_t step);

/* What it had of memory on each node: what was allocated, or requested. */
double sw_record_had_bytes(const struct sw_job_record *job);

#endif

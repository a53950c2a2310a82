/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert an accounting record to a run, for all users of records. */
#ifndef SW_ANALYZER_ACCOUNTING_RECORD_RUN_H
#define SW_ANALYZER_ACCOUNTING_RECORD_RUN_H

#include "advice/run.h"
#include "analyzer/accounting/job_record.h"

/*
 * The need is the upper end of what the samples allow (record_need.h), since
 * less may be insufficient.  If that end is unknown (need_upper_bytes NAN), or
 * above what was available and sufficient, the need is the lower end, and
 * open_bytes prevents advice below what was available.
 */
void sw_record_run(struct sw_run *run, const struct sw_job_record *job);

/* Return one step of a job as if it were a job, without names and cost. */
struct sw_job_record sw_record_of_step(const struct sw_job_record *job,
				       size_t step);

/* Return the memory available on each node: allocated, or requested. */
double sw_record_had_bytes(const struct sw_job_record *job);

#endif

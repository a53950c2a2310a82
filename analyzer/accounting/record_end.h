/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine how a job and its steps ended if their states alone do not show
 * it. */
#ifndef SW_ANALYZER_ACCOUNTING_RECORD_END_H
#define SW_ANALYZER_ACCOUNTING_RECORD_END_H

#include "analyzer/accounting/job_record.h"

/* Return the signal that ended it; SW_MISSING: none. */
uint64_t sw_record_end_signal(const struct sw_record_end *end);

/* Return its exit code; SW_MISSING: unknown, or a signal ended it. */
uint64_t sw_record_end_exit_code(const struct sw_record_end *end);

/* Did Slurm report that it ran out of memory? */
bool sw_record_end_is_oom(const struct sw_record_end *end);

/* Did the job complete although one of its steps ran out of memory? */
bool sw_record_is_silent_oom(const struct sw_job_record *job);

/*
 * Return the step that failed first, except for cancellations by users; of a
 * completed job only a killed step counts, since scripts continue after a
 * program that fails.  NULL: none.
 */
const struct sw_step_record *
sw_record_failed_step(const struct sw_job_record *job);

#endif

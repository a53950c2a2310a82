/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a job and its steps ended, where their states alone do not tell. */
#ifndef SW_ANALYZER_ACCOUNTING_RECORD_END_H
#define SW_ANALYZER_ACCOUNTING_RECORD_END_H

#include "analyzer/accounting/job_record.h"

/* Whether Slurm says that it ran out of memory. */
bool sw_record_end_is_oom(const struct sw_record_end *end);

/* A job that completed although a step of it ran out of memory. */
bool sw_record_is_silent_oom(const struct sw_job_record *job);

/*
 * The step that failed first, users' cancellations aside; of a job that
 * completed only one that was killed, as scripts go on where a program says no.
 * NULL: none.
 */
const struct sw_step_record *
sw_record_failed_step(const struct sw_job_record *job);

#endif

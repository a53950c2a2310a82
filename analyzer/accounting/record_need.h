/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much memory a job needed on its fullest node, as far as Slurm's samples
 * tell: of each step they have the largest size of one task, and the mean of
 * those of all tasks.  Peaks between two samples are in neither.
 */
#ifndef SW_ANALYZER_ACCOUNTING_RECORD_NEED_H
#define SW_ANALYZER_ACCOUNTING_RECORD_NEED_H

#include "analyzer/accounting/job_record.h"

/*
 * The need lies between both, which are NAN where nothing was sampled.  high
 * alone is NAN where it is not known how many tasks a node had: nothing then
 * says what would have been enough.
 */
struct sw_record_need {
	double low_bytes, high_bytes;
};

struct sw_record_need sw_record_need(const struct sw_job_record *job);

/*
 * The share of its nodes on which Slurm saw it work: what ssh started on the
 * others is in no step of theirs.  1 where all, or nothing, is known.
 */
double sw_record_accounted_ratio(const struct sw_job_record *job);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimate a job's memory need on its fullest node from Slurm's samples, which
 * give for each step the largest RSS of one task and the mean over all tasks.
 * Peaks between two samples are not included.
 */
#ifndef SW_ANALYZER_ACCOUNTING_RECORD_NEED_H
#define SW_ANALYZER_ACCOUNTING_RECORD_NEED_H

#include "analyzer/accounting/job_record.h"

/*
 * Bounds of the need; both NAN if nothing was sampled.  Only high is NAN if the
 * number of tasks per node is unknown: no upper bound exists then.
 */
struct sw_record_need {
	double low_bytes, high_bytes;
	double accounted_ratio;	/* sw_record_accounted_ratio() */
};

struct sw_record_need sw_record_need(const struct sw_job_record *job);

/*
 * Return the share of its nodes on which accounting saw it work: processes
 * started by ssh on the others belong to no step.  1 if it is all, or unknown.
 */
double sw_record_accounted_ratio(const struct sw_job_record *job);

#endif

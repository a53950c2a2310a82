/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contribution of one job to the tallies, from Slurm's record and the
 * recorders' rows of its steps.  Pure.
 */
#ifndef SW_ANALYZER_MEASURE_H
#define SW_ANALYZER_MEASURE_H

#include "analyzer/accounting/job_record.h"
#include "analyzer/compare/fingerprint.h"
#include "analyzer/grouping/job_group.h"
#include "analyzer/grouping/workflow.h"
#include "analyzer/summaries/step_summary.h"
#include "analyzer/sweep/night/tally.h"

struct sw_measured {
	struct sw_tally_job tally;	/* points to run if it counts as one */
	struct sw_sample_run run;
	uint8_t fingerprint[SW_FINGERPRINT_BYTES]; /* run points to it */
	struct sw_job_group group;
	struct sw_workflow workflow;
};

/* rules may be NULL; rows are all rows of the job, sorted. */
void sw_measure(struct sw_measured *measured, const struct sw_job_record *job,
		const struct sw_step_summary *rows, size_t count,
		const struct sw_group_rules *rules);

/*
 * Return what a row of the job stood still for: the mount, or else the type of
 * file system; NULL if nothing, or if the row is not of the job's work.
 */
const char *sw_measure_stall(const struct sw_step_summary *rows, size_t count,
			     const struct sw_step_summary *row);

/*
 * Measure a step like a job; rows are the job's.  It has no names and no cost.
 */
void sw_measure_step(struct sw_measured *measured,
		     const struct sw_job_record *job, size_t step,
		     const struct sw_step_summary *rows, size_t count);

/* True for a step of srun: it has a number, and a program as its name. */
bool sw_measure_is_numbered(const char *step);

/*
 * Return true if the record counts as a job: of a heterogeneous job, which has
 * a record for each component, only the first.
 */
bool sw_measure_is_counted(const struct sw_job_record *job);

#endif

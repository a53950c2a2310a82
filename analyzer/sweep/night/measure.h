/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one job adds to the tallies: from Slurm's record of it, and the rows
 * that recorders have of its steps.  Pure.
 */
#ifndef SW_ANALYZER_MEASURE_H
#define SW_ANALYZER_MEASURE_H

#include "analyzer/accounting/job_record.h"
#include "analyzer/grouping/job_group.h"
#include "analyzer/grouping/workflow.h"
#include "analyzer/summaries/step_summary.h"
#include "analyzer/sweep/night/tally.h"

struct sw_measured {
	struct sw_tally_job tally;	/* points to the run, if it is one */
	struct sw_sample_run run;
	struct sw_job_group group;
	struct sw_workflow workflow;
};

/* rules may be NULL; the rows are all of the job's, in order. */
void sw_measure(struct sw_measured *measured, const struct sw_job_record *job,
		const struct sw_step_summary *rows, size_t count,
		const struct sw_group_rules *rules);

/*
 * What a row of the job stood still for: the mount, or else the kind of file
 * system; NULL: nothing, or it is not of the job's work.
 */
const char *sw_measure_stall(const struct sw_step_summary *rows, size_t count,
			     const struct sw_step_summary *row);

/*
 * One step of a job, as if it were a job; rows are the job's.  It has no names
 * and no cost.
 */
void sw_measure_step(struct sw_measured *measured,
		     const struct sw_job_record *job, size_t step,
		     const struct sw_step_summary *rows, size_t count);

/* Whether srun started it: it has a number, and its name is a program. */
bool sw_measure_is_numbered(const char *step);

/*
 * Whether it counts as a job: of a heterogeneous one, which Slurm has a record
 * for each component of, the first alone.
 */
bool sw_measure_is_counted(const struct sw_job_record *job);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one job adds to the tallies: from Slurm's record of it, and the rows
 * that recorders have of its steps.  Pure.
 */
#ifndef SW_ANALYZER_MEASURE_H
#define SW_ANALYZER_MEASURE_H

#include "analyzer/grouping/job_group.h"
#include "analyzer/records/job_record.h"
#include "analyzer/summaries/step_summary.h"
#include "analyzer/sweep/night/tally.h"

struct sw_measured {
	struct sw_tally_job tally;	/* points to the run, if it is one */
	struct sw_sample_run run;
	struct sw_job_group group;
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

/* Whether it did not do what it was to do, and nobody ended it. */
bool sw_measure_is_failed(enum sw_job_state state);

#endif

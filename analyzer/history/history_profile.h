/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Convert a recorded job to runs of the history: the whole job, and each of its
 * steps.  Pure, except for the name of a user.  Also provides what a report or
 * suggestion needs to find the group of a job that is not in the history.
 */
#ifndef SW_ANALYZER_HISTORY_PROFILE_H
#define SW_ANALYZER_HISTORY_PROFILE_H

#include "analyzer/grouping/job_group.h"
#include "analyzer/history/history.h"
#include "analyzer/job/job.h"

enum { SW_USER_NAME_SIZE = 64, SW_RUN_ID_SIZE = 256 };

/* A row, and the texts that it points to. */
struct sw_profile_run {
	struct sw_history_run row;
	struct sw_job_group group;
	char job[SW_RUN_ID_SIZE], user[SW_USER_NAME_SIZE];
	char programs[SW_JOB_GROUP_SIZE];
};

/* Fill from a view: the sum of a job's nodes, or a step over its nodes. */
void sw_run_of_view(struct sw_run *run, const struct sw_view *view);

/*
 * Convert the whole job (step NULL) or one of its steps.  The result must not
 * be moved, or outlive the job.
 */
void sw_profile_run(struct sw_profile_run *run, const struct sw_job *job,
		    const struct sw_job_step *step,
		    const struct sw_group_rules *rules);

/*
 * Return why the job is not a run yet (it is running, or its recorder died), or
 * NULL if it is.
 */
const char *sw_profile_run_refused(const struct sw_job *job);

/* True if the step is a run itself; extern runs nothing of the user. */
bool sw_profile_run_is_step(const struct sw_job *job,
			    const struct sw_job_step *step);

#endif

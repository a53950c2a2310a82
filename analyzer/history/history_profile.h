/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recorded job as runs of the history: the whole, and each of its steps.
 * Pure but for the name of a user.  Also what a report or suggestion needs to
 * find the group of a job that is in no history.
 */
#ifndef SW_ANALYZER_HISTORY_PROFILE_H
#define SW_ANALYZER_HISTORY_PROFILE_H

#include "analyzer/grouping/job_group.h"
#include "analyzer/history/history.h"
#include "analyzer/job/job.h"

enum { SW_USER_NAME_SIZE = 64, SW_RUN_ID_SIZE = 256 };

/* A row and the texts that it points to. */
struct sw_profile_run {
	struct sw_history_run row;
	struct sw_job_group group;
	char job[SW_RUN_ID_SIZE], user[SW_USER_NAME_SIZE];
	char programs[SW_JOB_GROUP_SIZE];
};

/* Numbers of a view: the sum of a job's nodes, or a step over its nodes. */
void sw_run_of_view(struct sw_run *run, const struct sw_view *view);

/*
 * The whole job (step NULL) or a step of it.  It must not be moved, and must
 * not outlive the job.
 */
void sw_profile_run(struct sw_profile_run *run, const struct sw_job *job,
		    const struct sw_job_step *step,
		    const struct sw_group_rules *rules);

/*
 * Why the job is no run yet, in words: it goes on, or its recorder was lost.
 * NULL: it is one.
 */
const char *sw_profile_run_refused(const struct sw_job *job);

/* Whether the step is a run of its own: extern holds nothing of the user's. */
bool sw_profile_run_is_step(const struct sw_job *job,
			    const struct sw_job_step *step);

#endif

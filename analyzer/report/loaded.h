/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Build a result tree from paths: the one place that chains the layers. */
#ifndef SW_ANALYZER_LOADED_H
#define SW_ANALYZER_LOADED_H

#include "analyzer/accounting/sacct.h"
#include "analyzer/failures/origin.h"
#include "analyzer/history/history_unlike.h"
#include "analyzer/recordings/jobfiles.h"
#include "analyzer/requests/advice.h"
#include "analyzer/rules/rule.h"
#include "analyzer/view/view_past.h"

struct sw_loaded {
	struct sw_job job;
	struct sw_result result;
	struct sw_advice advice;
	struct sw_acct acct;	/* set by sw_loaded_ask() */
	struct sw_view_past past;	/* the earlier run it repeats */
	struct sw_origin_told origin;	/* of the past, if it failed */
	struct sw_unlike unlike;	/* the runs before, beside it */
};

/*
 * Read the profiles of a job's nodes, or of one run.  Return 0, or -1 with
 * *error; free with sw_loaded_fini(), also after a failure.
 */
int sw_loaded_read(struct sw_loaded *loaded, const struct sw_job_files *files,
		   struct sw_error *error);

/* Ask sacct how Slurm ended the job, if it is a Slurm job. */
void sw_loaded_ask(struct sw_loaded *loaded);

/*
 * Ask sacct about the jobs of count groups at once, at most the newest 1000.
 * Return 0, or -1 with *error and errno, ENOENT if there is no sacct.
 */
int sw_loaded_ask_all(struct sw_acct *acct, const struct sw_jobfiles *files,
		      size_t count, struct sw_error *error);

/*
 * Open the history without waiting longer than a report may; NULL if there is
 * none, or if it is locked or damaged.
 */
struct sw_history *sw_loaded_history(const struct sw_settings *settings);

/*
 * Evaluate the rules with the answer of sw_loaded_ask(), or with acct if not
 * NULL, which must outlive loaded.  history may be NULL.  Return 0, or -1 with
 * *error.
 */
int sw_loaded_judge(struct sw_loaded *loaded, const struct sw_acct *acct,
		    struct sw_history *history,
		    const struct sw_settings *settings,
		    struct sw_error *error);

/*
 * Add advice from the history to the result, counting this run among the past
 * ones; none if history is NULL.
 */
void sw_loaded_advise(struct sw_loaded *loaded, struct sw_history *history,
		      const struct sw_settings *settings);
void sw_loaded_fini(struct sw_loaded *loaded);

/*
 * Set the advice, which must outlive the result: findings then suggest no
 * values of their own for the resources that it covers.
 */
void sw_result_advise(struct sw_result *result,
		      const struct sw_advice *advice);

#endif

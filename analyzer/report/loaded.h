/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From paths to a result tree: the one place that chains the layers. */
#ifndef SW_ANALYZER_LOADED_H
#define SW_ANALYZER_LOADED_H

#include "analyzer/accounting/sacct.h"
#include "analyzer/recordings/jobfiles.h"
#include "analyzer/requests/advice.h"
#include "analyzer/rules/rule.h"
#include "analyzer/view/view_past.h"

struct sw_loaded {
	struct sw_job job;
	struct sw_result result;
	struct sw_advice advice;
	struct sw_acct acct;	/* of sw_loaded_ask() */
	struct sw_view_past past;	/* what it tries again */
};

/*
 * The profiles of a job's nodes, or the one of a run.  0, or -1 with *error;
 * free with sw_loaded_fini(), also after a failure.
 */
int sw_loaded_read(struct sw_loaded *loaded, const struct sw_job_files *files,
		   struct sw_error *error);

/* Ask sacct how Slurm ended the job, where it is one of Slurm's. */
void sw_loaded_ask(struct sw_loaded *loaded);

/*
 * Ask sacct for the jobs of so many groups, all at once; those beyond the
 * newest thousand are left out.  0, or -1 with *error and errno, ENOENT where
 * there is no sacct.
 */
int sw_loaded_ask_all(struct sw_acct *acct, const struct sw_jobfiles *files,
		      size_t count, struct sw_error *error);

/*
 * The history as it is; NULL: there is none, or it is locked or damaged.  It
 * takes no longer than a report may.
 */
struct sw_history *sw_loaded_history(const struct sw_settings *settings);

/*
 * The findings, with what sw_loaded_ask() came to know; acct not NULL: with
 * what is in there, which must outlive loaded.  history may be NULL.  0, or -1
 * with *error.
 */
int sw_loaded_judge(struct sw_loaded *loaded, const struct sw_acct *acct,
		    struct sw_history *history,
		    const struct sw_settings *settings,
		    struct sw_error *error);

/*
 * Advice on it into the result, from the history, with this run among the past
 * ones; NULL: none.
 */
void sw_loaded_advise(struct sw_loaded *loaded, struct sw_history *history,
		      const struct sw_settings *settings);
void sw_loaded_fini(struct sw_loaded *loaded);

/*
 * With advice, which must outlive the result: findings name no number of their
 * own where it has one.
 */
void sw_result_advise(struct sw_result *result,
		      const struct sw_advice *advice);

#endif

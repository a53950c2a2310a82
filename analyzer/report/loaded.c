/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Build a result tree from paths. */
#include "analyzer/report/loaded.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_beside.h"
#include "analyzer/history/history_origin.h"
#include "analyzer/history/history_past.h"
#include "analyzer/history/history_profile.h"
#include "analyzer/job/job_record.h"
#include "analyzer/settings/settings.h"

/* Longest wait of a report for a process that writes the history. */
enum { WAIT_MSEC = 20 };

/* More job ids in one query would load Slurm's database too much. */
enum { ASKED_AT_ONCE = 1000 };

int sw_loaded_read(struct sw_loaded *loaded, const struct sw_job_files *files,
		   struct sw_error *error)
{
	memset(loaded, 0, sizeof(*loaded));
	return sw_job_read(&loaded->job, files, error);
}

void sw_loaded_ask(struct sw_loaded *loaded)
{
	struct sw_job *job = &loaded->job;
	const struct sw_jobid id = sw_job_key_id(&job->total.job);
	char ids[SW_JOBID_TEXT_SIZE];
	struct sw_error error;

	if (!job->total.slurm.is_slurm || sw_is_missing(id.job))
		return;
	sw_jobid_format(ids, sizeof(ids), &id);
	if (sw_acct_query_runs(&loaded->acct, ids, &error) < 0)
		sw_job_record_unread(job, error.text);
	else
		sw_job_record_set(job, &loaded->acct);
}

int sw_loaded_ask_all(struct sw_acct *acct, const struct sw_jobfiles *files,
		      size_t count, struct sw_error *error)
{
	const size_t size = (size_t)ASKED_AT_ONCE * SW_JOBID_TEXT_SIZE;
	char *ids = malloc(size);
	size_t i, used = 0, asked = 0;
	int rc = 0;

	memset(acct, 0, sizeof(*acct));
	if (!ids)
		return sw_error_set(error, "not enough memory");
	for (i = 0; i < count && asked < ASKED_AT_ONCE; i++) {
		if (sw_is_missing(files->groups[i].id.job))
			continue;
		used += (size_t)snprintf(ids + used, size - used, "%s%s",
			asked++ ? "," : "",
			sw_jobid_text(&files->groups[i].id).s);
	}
	if (asked)
		rc = sw_acct_query_runs(acct, ids, error);
	free(ids);
	return rc;
}

/*
 * Find the earlier run that this one repeats, compare it with those before, and
 * find what its failure coincides with; unknown for a running job.
 */
static void remember(struct sw_loaded *loaded, struct sw_history *history,
		     const struct sw_settings *settings)
{
	struct sw_profile_run run;
	struct sw_error error;

	if (!history)
		return;
	sw_job_point_to_past(&loaded->job, &loaded->past);
	if (sw_profile_run_refused(&loaded->job))
		return;
	sw_profile_run(&run, &loaded->job, NULL,
		       sw_settings_group_rules(settings));
	if (sw_history_past(history, &run.row, sw_settings_retries(settings),
			    &loaded->past, &error) < 0) {
		sw_job_point_to_past(&loaded->job, NULL);
		return;
	}
	/* The history has whole jobs. */
	if (loaded->job.is_one_step)
		return;
	if (sw_unlike_past(&loaded->unlike, history, &run.row, &loaded->job,
			   &error) < 0)
		return;
	if (loaded->unlike.is_whole)
		loaded->past.comparison = &loaded->unlike.comparison;
	if (sw_history_origin(history, &run.row, &loaded->unlike.own,
			      &loaded->origin, &error) > 0)
		loaded->past.origin = &loaded->origin;
}

int sw_loaded_judge(struct sw_loaded *loaded, const struct sw_acct *acct,
		    struct sw_history *history,
		    const struct sw_settings *settings,
		    struct sw_error *error)
{
	if (acct && acct->count && loaded->job.total.slurm.is_slurm)
		sw_job_record_set(&loaded->job, acct);
	remember(loaded, history, settings);
	return sw_result_init(&loaded->result, &loaded->job,
			      sw_settings_thresholds(settings), error);
}

void sw_result_advise(struct sw_result *result, const struct sw_advice *advice)
{
	size_t i;

	result->advice = advice;
	for (i = 0; i < result->findings.count; i++) {
		struct sw_finding *finding = &result->findings.items[i];
		const struct sw_suggestion *suggestion =
			sw_advice_find(advice, (enum sw_resource)
				       finding->remedy_of);

		if (finding->remedy_at && suggestion &&
		    !suggestion->is_withheld)
			sw_finding_point(finding, suggestion->runs);
	}
}

struct sw_history *sw_loaded_history(const struct sw_settings *settings)
{
	const struct sw_history_access access = { .wait_msec = WAIT_MSEC };
	struct sw_error error;
	char path[PATH_MAX];

	if (sw_history_path(sw_settings_history_file(settings), false, path,
			    sizeof(path), &error) < 0)
		return NULL;
	return sw_history_open_both(path,
				    sw_settings_user_history_dir(settings),
				    &access, &error);
}

void sw_loaded_advise(struct sw_loaded *loaded, struct sw_history *history,
		      const struct sw_settings *settings)
{
	const struct sw_job *job = &loaded->job;
	struct sw_advice_options options = { .input_bytes = NAN };
	struct sw_profile_run run;
	struct sw_error error;

	if (!history)
		return;
	sw_profile_run(&run, job,
		       job->is_one_step && job->step_count == 1 ? &job->steps[0]
								: NULL,
		       sw_settings_group_rules(settings));
	/* A running or partially recorded job does not show its need. */
	if (!sw_profile_run_refused(job) && !sw_job_is_partial(job))
		options.own = &run.row;
	else
		options.request = &run.row.run;
	if (sw_advice_init(&loaded->advice, history, run.row.group, settings,
			   &options, &error) == 0)
		sw_result_advise(&loaded->result, &loaded->advice);
}

void sw_loaded_fini(struct sw_loaded *loaded)
{
	if (loaded->result.advice)
		sw_advice_fini(&loaded->advice);
	sw_result_fini(&loaded->result);
	sw_unlike_fini(&loaded->unlike);
	sw_job_fini(&loaded->job);
	sw_acct_fini(&loaded->acct);
}

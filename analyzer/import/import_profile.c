/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Import recordings.  Skips unfinished, damaged and unreadable ones: a partly
 * seen need is not a need.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_profile.h"
#include "analyzer/history/history_unlike.h"
#include "analyzer/import/import_internal.h"
#include "analyzer/recordings/jobfile.h"
#include "analyzer/recordings/store.h"
#include "analyzer/rules/rule.h"
#include "analyzer/view/view_past.h"
#include "common/path.h"

#define ONLY_CLAIMED \
	"another user claims it, and there is no digest to check it"

static void judge(const struct sw_import *import, const struct sw_job *job,
		  struct sw_fingerprint *print)
{
	struct sw_result result;
	struct sw_error error;

	if (sw_result_init(&result, job,
			   sw_settings_thresholds(import->settings),
			   &error) < 0)
		return;
	sw_result_judge(&result, print);
	sw_result_fini(&result);
}

/* A run that did not do its work does not show what the work needs. */
static int add_run(struct sw_import *import, struct sw_profile_run *run,
		   bool is_in_doubt, struct sw_error *error)
{
	if (is_in_doubt && run->row.run.state == SW_RUN_COMPLETED)
		run->row.run.state = SW_RUN_FAILED;
	return sw_import_run(import, &run->row, error);
}

/* Add the whole job, with what later runs are compared with it by. */
static int add_whole(struct sw_import *import, struct sw_job *job,
		     struct sw_profile_run *run, bool *is_in_doubt,
		     struct sw_error *error)
{
	struct sw_unlike unlike;
	struct sw_view_past past = { .comparison = &unlike.comparison };
	uint8_t print[SW_FINGERPRINT_BYTES];
	int rc;

	rc = sw_unlike_past(&unlike, import->history, &run->row, job, error);
	if (rc == 0) {
		sw_job_point_to_past(job, &past);
		judge(import, job, &unlike.own);
		sw_job_point_to_past(job, NULL);
		*is_in_doubt = unlike.own.has_failure;
		if (unlike.is_whole) {
			run->row.fingerprint = print;
			run->row.fingerprint_size =
				sw_fingerprint_encode(&unlike.own, print);
		}
		rc = add_run(import, run, *is_in_doubt, error);
	}
	sw_unlike_fini(&unlike);
	return rc;
}

static int add_rows(struct sw_import *import, struct sw_job *job,
		    struct sw_error *error)
{
	const struct sw_group_rules *rules =
		sw_settings_group_rules(import->settings);
	struct sw_profile_run run;
	bool is_in_doubt = false;
	size_t i;
	int rc;

	sw_profile_run(&run, job, NULL, rules);
	rc = add_whole(import, job, &run, &is_in_doubt, error);
	for (i = 0; rc == 0 && i < job->step_count; i++) {
		if (!sw_profile_run_is_step(job, &job->steps[i]))
			continue;
		sw_profile_run(&run, job, &job->steps[i], rules);
		rc = add_run(import, &run, is_in_doubt, error);
	}
	return rc;
}

static int add_job(struct sw_import *import, struct sw_job *job,
		   const char *where, struct sw_error *error)
{
	const char *refused = sw_profile_run_refused(job);
	int number;

	if (!refused && sw_job_find_damaged(job))
		refused = "parts of the recording are damaged";
	/* Claims of other users are not evidence. */
	if (!refused && job->verdict.trust == SW_TRUST_CLAIM &&
	    !import->takes_claims)
		refused = ONLY_CLAIMED;
	if (refused) {
		sw_import_skip(import, refused, where);
		return 0;
	}
	/* Use a transaction per job: reading many files takes longer than
	 * others wait. */
	if (sw_import_begin(import, error) < 0)
		return -1;
	if (add_rows(import, job, error) == 0)
		return sw_import_end(import, error);
	number = errno;
	sw_history_rollback(import->history);
	errno = number;
	return -1;
}

static int add_paths(struct sw_import *import, struct sw_judge *judge,
		     uint64_t uid, const char *const *paths, size_t count,
		     struct sw_error *error)
{
	const struct sw_job_files files = {
		.paths = paths, .count = count, .judge = judge, .uid = uid,
	};
	struct sw_error why;
	struct sw_job job;
	int rc = 0;

	if (sw_job_read(&job, &files, &why) == 0)
		rc = add_job(import, &job, paths[0], error);
	else
		sw_import_skip(import, "the recording cannot be read",
			       why.text);
	sw_job_fini(&job);
	return rc;
}

/* Import the runs before a requeue; those of one restart belong together. */
static int add_earlier(struct sw_import *import, struct sw_judge *judge,
		       const struct sw_jobfiles_group *group,
		       struct sw_error *error)
{
	char *const *paths = group->earlier_paths;
	size_t count = group->earlier_count;
	struct sw_jobfile *files = calloc(count ? count : 1, sizeof(*files));
	const char **same = calloc(count ? count : 1, sizeof(const char *));
	size_t i, j, used;
	int rc = 0;

	for (i = 0; files && same && i < count; i++) {
		files[i].path = paths[i];
		sw_jobfile_read(&files[i], judge);
	}
	for (i = 0; files && same && rc == 0 && i < count; i++) {
		if (!files[i].path)
			continue;
		for (used = 0, j = i; j < count; j++) {
			if (!files[j].path ||
			    files[j].job.restart_count != files[i].job.restart_count)
				continue;
			same[used++] = files[j].path;
			if (j > i)
				files[j].path = NULL;
		}
		rc = add_paths(import, judge, group->uid, same, used, error);
	}
	if (!files || !same)
		rc = sw_error_set(error, "not enough memory");
	free(files);
	free(same);
	return rc;
}

static int add_files(struct sw_import *import,
		     const struct sw_folders *folders,
		     const struct sw_jobid *id, struct sw_error *error)
{
	struct sw_jobfiles files;
	size_t i;
	int rc = 0;

	if (sw_jobfiles_init(&files, folders, id, error) < 0)
		return -1;
	for (i = files.count; rc == 0 && i > 0; i--) {
		const struct sw_jobfiles_group *group = &files.groups[i - 1];

		if (group->trust == SW_TRUST_CLAIM && !import->takes_claims) {
			sw_import_skip(import, ONLY_CLAIMED, group->paths[0]);
			continue;
		}
		rc = add_earlier(import, folders->judge, group, error);
		if (rc == 0)
			rc = add_paths(import, folders->judge, group->uid,
				       (const char *const *)group->paths,
				       group->count, error);
	}
	for (i = 0; rc == 0 && i < files.ignored_count; i++)
		sw_import_skip(
			import, "the file is altered or foreign",
			files.ignored[i < SW_IGNORED_MAX ? i
							 : SW_IGNORED_MAX - 1]
				.path);
	if (files.unlisted_count)
		sw_import_skip(import, "a folder cannot be listed",
			       files.unlisted.text);
	sw_jobfiles_fini(&files);
	return rc;
}

/* Import from a folder that only the recorders' user can write. */
static int add_summaries(struct sw_import *import,
			 const struct sw_folders *folders,
			 struct sw_error *error)
{
	const char *folder = folders->items[0].path;
	struct sw_store store;
	size_t i;
	int rc = 0;

	if (sw_store_list(&store, folder, error) < 0)
		return -1;
	for (i = 0; rc == 0 && i < store.count; i++)
		rc = sw_import_summary(import, folders->judge,
				       store.entries[i].path, error);
	sw_store_fini(&store);
	return rc;
}

int sw_import_folders(struct sw_import *import,
		      const struct sw_folders *folders,
		      struct sw_error *error)
{
	if (folders->is_named && folders->count &&
	    sw_judge_is_summaries(folders->judge, folders->items[0].path))
		return add_summaries(import, folders, error);
	return add_files(import, folders, NULL, error);
}

/* Import all nodes' files: this node's file alone would replace them. */
static int add_with_others(struct sw_import *import, const char *path,
			   const struct sw_jobfile *file,
			   struct sw_error *error)
{
	struct sw_folders folders;
	char folder[PATH_MAX];
	struct sw_jobid id;
	int rc;

	if (sw_path_folder(path, folder, sizeof(folder)) < 0)
		return sw_error_errno(error, "%s", path);
	if (sw_folders_of(&folders, folder, sw_settings_places(import->settings), error) < 0)
		return -1;
	id = sw_job_key_id(&file->job);
	rc = add_files(import, &folders, &id, error);
	sw_folders_fini(&folders);
	return rc;
}

static int add_one(struct sw_import *import, struct sw_judge *judge,
		   const char *path, struct sw_jobfile *file,
		   struct sw_error *error)
{
	uint64_t job, start;

	sw_jobfile_read(file, judge);
	if (file->is_summary)
		return sw_import_summary(import, judge, path, error);
	if (file->verdict.trust == SW_TRUST_NONE) {
		sw_import_skip(import, "the file is altered or foreign", path);
		return 0;
	}
	/* The spool did not name this file, so it has none of other nodes
	 * beside it. */
	if (sw_jobfile_parse_name(path, &job, &start) &&
	    !sw_is_missing(file->job.job_id))
		return add_with_others(import, path, file, error);
	return add_paths(import, judge, file->verdict.uid, &path, 1, error);
}

int sw_import_profile(struct sw_import *import, const char *path,
		      struct sw_error *error)
{
	struct sw_jobfile file = { .path = strdup(path) };
	struct sw_judge *judge = sw_judge_new(sw_settings_places(import->settings), error);
	int rc = -1;

	if (!file.path)
		sw_error_set(error, "not enough memory");
	else if (judge)
		rc = add_one(import, judge, path, &file, error);
	sw_judge_free(judge);
	free(file.path);
	return rc;
}

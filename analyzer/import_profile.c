/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings into the history.  Leaves out what goes on, what is damaged and
 * what could not be read: a need that was seen in part is no need.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history_profile.h"
#include "analyzer/import_internal.h"
#include "analyzer/jobfile.h"

static int add_rows(struct sw_import *import, const struct sw_job *job,
		    struct sw_error *error)
{
	const struct sw_work_rules *rules = sw_settings_work(import->settings);
	struct sw_profile_run run;
	size_t i;
	int rc;

	sw_profile_run(&run, job, NULL, rules);
	rc = sw_import_run(import, &run.row, error);
	for (i = 0; rc == 0 && i < job->step_count; i++) {
		if (!sw_profile_run_is_step(job, &job->steps[i]))
			continue;
		sw_profile_run(&run, job, &job->steps[i], rules);
		rc = sw_import_run(import, &run.row, error);
	}
	return rc;
}

static int add_job(struct sw_import *import, const struct sw_job *job,
		   const char *where, struct sw_error *error)
{
	const char *refused = sw_profile_run_refused(job);
	int number;

	if (!refused && sw_job_find_damaged(job))
		refused = "parts of the recording are damaged";
	if (refused) {
		sw_import_skip(import, refused, where);
		return 0;
	}
	/* Of its own: reading many files takes longer than others wait. */
	if (sw_import_begin(import, error) < 0)
		return -1;
	if (add_rows(import, job, error) == 0)
		return sw_import_end(import, error);
	number = errno;
	sw_history_rollback(import->history);
	errno = number;
	return -1;
}

static int add_paths(struct sw_import *import, const char *const *paths,
		     size_t count, struct sw_error *error)
{
	struct sw_error why;
	struct sw_job job;
	int rc = 0;

	if (sw_job_init(&job, paths, count, NULL, &why) == 0)
		rc = add_job(import, &job, paths[0], error);
	else if (count == 1 && sw_import_is_summary(paths[0]))
		rc = sw_import_summary(import, paths[0], error);
	else
		sw_import_skip(import, "the recording cannot be read",
			       why.text);
	sw_job_fini(&job);
	return rc;
}

/* Runs before a requeue: those of one restart belong together. */
static int add_earlier(struct sw_import *import, char *const *paths,
		       size_t count, struct sw_error *error)
{
	struct sw_jobfile *files = calloc(count ? count : 1, sizeof(*files));
	const char **same = calloc(count ? count : 1, sizeof(const char *));
	size_t i, j, used;
	int rc = 0;

	for (i = 0; files && same && i < count; i++) {
		files[i].path = paths[i];
		if (!sw_jobfile_read(&files[i], SW_MISSING))
			files[i].path = NULL;
	}
	for (i = 0; files && same && rc == 0 && i < count; i++) {
		if (!files[i].path)
			continue;
		for (used = 0, j = i; j < count; j++) {
			if (!files[j].path ||
			    files[j].restart != files[i].restart)
				continue;
			same[used++] = files[j].path;
			if (j > i)
				files[j].path = NULL;
		}
		rc = add_paths(import, same, used, error);
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

		rc = add_earlier(import, group->earlier_paths,
				 group->earlier_count, error);
		if (rc == 0)
			rc = add_paths(import,
				       (const char *const *)group->paths,
				       group->count, error);
	}
	sw_jobfiles_fini(&files);
	return rc;
}

int sw_import_folders(struct sw_import *import,
		      const struct sw_folders *folders,
		      struct sw_error *error)
{
	return add_files(import, folders, NULL, error);
}

/* Its node's file alone would take the place of all nodes'. */
static int add_with_others(struct sw_import *import, const char *path,
			   const struct sw_jobfile *file,
			   struct sw_error *error)
{
	struct sw_folders folders;
	char folder[PATH_MAX];
	char *slash;
	int rc;

	snprintf(folder, sizeof(folder), "%s", path);
	slash = strrchr(folder, '/');
	if (!slash)
		snprintf(folder, sizeof(folder), ".");
	else
		slash[slash == folder] = '\0';
	if (sw_folders_of(&folders, folder, error) < 0)
		return -1;
	rc = add_files(import, &folders, &file->id, error);
	sw_folders_fini(&folders);
	return rc;
}

int sw_import_profile(struct sw_import *import, const char *path,
		      struct sw_error *error)
{
	struct sw_jobfile file = { .path = NULL };
	uint64_t job, start;

	file.path = strdup(path);
	if (!file.path)
		return sw_error_set(error, "not enough memory");
	/* A name that the spool did not give is of no other node's file. */
	if (sw_jobfile_parse_name(path, &job, &start) &&
	    sw_jobfile_read(&file, SW_MISSING) && !sw_is_missing(file.id.job)) {
		free(file.path);
		return add_with_others(import, path, &file, error);
	}
	free(file.path);
	return add_paths(import, &path, 1, error);
}

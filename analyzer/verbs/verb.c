/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the verbs: settings, profiles, partial jobs. */
#include "analyzer/verbs/verb.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "analyzer/recordings/choose.h"
#include "analyzer/settings/settings.h"

int sw_complain_partial(const struct sw_job *job, const char *what)
{
	const struct sw_node_file *file = sw_job_find_damaged(job);

	if (file)
		return sw_complain(SW_EXIT_PARTIAL,
			"%s: parts of the file are damaged and missing from "
			"%s; run \"stepwell verify\" for details",
			file->path, what);
	if (!job->unread_count)
		return sw_complain(SW_EXIT_PARTIAL, "%zu steps are too many "
				   "and missing from %s",
				   sw_job_left_out(job), what);
	return sw_complain(SW_EXIT_PARTIAL, "%s; %zu recording%s missing from "
			   "%s",
			   job->unread.text, job->unread_count,
			   job->unread_count == 1 ? " is" : "s are", what);
}

struct sw_settings *sw_load_settings(bool warns)
{
	struct sw_error error;
	struct sw_settings *settings = sw_settings_load(NULL, &error);

	if (!settings)
		sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	else if (warns && sw_settings_warning(settings))
		sw_complain(SW_EXIT_OK, "%s", sw_settings_warning(settings));
	return settings;
}

int sw_complain_error(const struct sw_error *error)
{
	return sw_complain(errno == ENOENT ? SW_EXIT_NOTHING_FOUND :
					     SW_EXIT_FAILURE, "%s", error->text);
}

/* A job on several nodes needs the name of one file. */
static int take_path(const struct sw_jobfiles *files, const char *what,
		     char *path, size_t size)
{
	const struct sw_jobfiles_group *group = &files->groups[0];

	if (group->count > 1)
		return sw_complain(SW_EXIT_USAGE, "\"%s\" has %zu files; name "
				   "one of them, such as %s", what,
				   group->count, group->paths[0]);
	snprintf(path, size, "%s", group->paths[0]);
	return SW_EXIT_OK;
}

/* Search one folder, or (NULL) all folders of the user. */
static int find_files(struct sw_jobfiles *files, struct sw_folders *folders,
		      const char *folder, const char *word,
		      struct sw_error *unknown, struct sw_error *error)
{
	struct sw_settings *settings = sw_load_settings(false);
	const struct sw_places *places;
	int rc = -1;

	if (!settings)
		return sw_error_set(error, "%s: not looked for", word);
	places = sw_settings_places(settings);
	if (folder && sw_folders_of(folders, folder, places, error) == 0)
		rc = sw_jobfiles_newest(files, folders, error);
	else if (!folder && sw_folders_init(folders, places, error) == 0)
		rc = sw_recordings_find(files, folders, word, unknown, error);
	sw_settings_free(settings);
	return rc;
}

int sw_find_profile(const char *what, char *path, size_t size)
{
	const bool is_path = sw_is_path(what);
	const char *folder = is_path && sw_is_folder(what) ? what : NULL;
	struct sw_jobfiles files = { 0 };
	struct sw_folders folders = { 0 };
	struct sw_error error, unknown;
	struct sw_jobid id;
	int status;

	snprintf(path, size, "%s", what);
	if (is_path && !folder)
		return SW_EXIT_OK;
	sw_error_set(&unknown, "no recording in %s", what);
	if (find_files(&files, &folders, folder, what, &unknown, &error) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	else if (files.count)
		status = take_path(&files, what, path, size);
	else if (!folder && sw_jobid_parse(what, &id) < 0 &&
		 access(what, F_OK) == 0)
		status = SW_EXIT_OK;
	else
		status = sw_complain(SW_EXIT_NOTHING_FOUND, "%s",
				     unknown.text);
	sw_jobfiles_fini(&files);
	sw_folders_fini(&folders);
	return status;
}

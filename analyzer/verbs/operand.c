/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recordings that an operand means. */
#include "analyzer/verbs/operand.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/recordings/choose.h"
#include "analyzer/recordings/store.h"
#include "analyzer/settings/settings.h"
#include "analyzer/verbs/report_user.h"
#include "analyzer/verbs/verb.h"
#include "common/text.h"

int sw_operand_open(struct sw_folders *folders, const struct sw_operand *operand,
		   const struct sw_settings *settings, struct sw_error *error)
{
	const struct sw_places *places = sw_settings_places(settings);

	return operand->folder ? sw_folders_of(folders, operand->folder, places,
					      error)
			      : sw_folders_init(folders, places, error);
}

int sw_operand_find(struct sw_jobfiles *files, const struct sw_folders *folders,
		   struct sw_operand *operand, struct sw_error *error)
{
	if (operand->name)
		return sw_recordings_find(files, folders, operand->name,
					  &operand->unknown, error);
	if (operand->id)
		return sw_jobfiles_init(files, folders, operand->id, error);
	return sw_jobfiles_newest(files, folders, error);
}

int sw_operand_complain_several(const char *what,
			       const struct sw_jobfiles *files)
{
	char ids[256] = "", whose[32] = "";
	bool has_users = false;
	size_t i;

	for (i = 1; i < files->count; i++)
		has_users |= files->groups[i].uid != files->groups[0].uid;
	for (i = 0; i < files->count && strlen(ids) + 110 < sizeof(ids); i++) {
		if (has_users)
			snprintf(whose, sizeof(whose), " of user %llu",
				 (unsigned long long)files->groups[i].uid);
		sw_text_add(ids, sizeof(ids), "%s%s%s%.20s%s", i ? ", " : "",
			    sw_jobid_text(&files->groups[i].id).s,
			    files->groups[i].cluster[0] ? " on " : "",
			    files->groups[i].cluster, whose);
	}
	return sw_complain(SW_EXIT_USAGE, "\"%s\" matches %zu recorded jobs; "
			   "name one%s: %s%s", what, files->count,
			   has_users ? ", or --user" : "", ids,
			   i < files->count ? ", ..." : "");
}

void sw_operand_tell_which(const struct sw_operand *operand,
			  const struct sw_jobfiles *files)
{
	char id[NAME_MAX + 1];

	if (!operand->name || files->count < 2)
		return;
	sw_jobfiles_id(&files->groups[0], id, sizeof(id));
	sw_complain(SW_EXIT_OK, "\"%s\" matches %zu recordings; this is the "
		    "newest, %s (\"stepwell list %s\" shows all)",
		    operand->name, files->count, id, operand->name);
}

static void take_group(struct sw_operand_run *run,
		       const struct sw_jobfiles_group *group)
{
	run->job.paths = (const char *const *)group->paths;
	run->job.count = group->count;
	run->job.uid = group->uid;
	run->job.judge = run->folders.judge;
}

/* Set *is_found, unless an error was printed. */
static int search(struct sw_operand_run *run, struct sw_operand *operand,
		  const char *user, const struct sw_settings *settings,
		  bool *is_found)
{
	struct sw_error error;
	int status = SW_EXIT_OK;

	*is_found = false;
	if (sw_operand_open(&run->folders, operand, settings, &error) < 0)
		return sw_complain_error(&error);
	if (sw_operand_find(&run->files, &run->folders, operand, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	sw_report_choose_user(user, operand->id, &run->files);
	if (run->files.count > 1 && operand->id) {
		status = sw_operand_complain_several(sw_jobid_text(operand->id).s,
						    &run->files);
	} else if (run->files.count) {
		*is_found = true;
		sw_operand_tell_which(operand, &run->files);
		take_group(run, &run->files.groups[0]);
	}
	sw_folders_complain(&run->folders);
	sw_jobfiles_complain(&run->files, NULL);
	return status;
}

static void forget(struct sw_operand_run *run)
{
	sw_jobfiles_fini(&run->files);
	sw_folders_fini(&run->folders);
	memset(&run->files, 0, sizeof(run->files));
	memset(&run->folders, 0, sizeof(run->folders));
}

static int find_newest(struct sw_operand_run *run, const char *folder,
		       const char *user, const struct sw_settings *settings)
{
	struct sw_operand operand = { .folder = folder };
	bool is_found;
	int status = search(run, &operand, user, settings, &is_found);

	if (is_found || status != SW_EXIT_OK)
		return status;
	return sw_complain(SW_EXIT_NOTHING_FOUND, "no recording in %s", folder);
}

/* Read a named file as it is, even if other verbs ignore it. */
static int take_file(struct sw_operand_run *run, const char *path,
		     const struct sw_settings *settings)
{
	run->path = path;
	run->judge = sw_judge_new(sw_settings_places(settings), NULL);
	run->job.paths = &run->path;
	run->job.count = 1;
	run->job.judge = run->judge;
	run->job.uid = SW_MISSING;
	run->job.is_named = true;
	return SW_EXIT_OK;
}

int sw_operand_run_find(struct sw_operand_run *run, const char *what,
		       const char *user, const struct sw_settings *settings)
{
	struct sw_operand operand = { .name = what };
	bool is_found = false, is_id;
	int status = SW_EXIT_OK;

	memset(run, 0, sizeof(*run));
	if (sw_is_path(what))
		return sw_is_folder(what)
			       ? find_newest(run, what, user, settings)
			       : take_file(run, what, settings);
	is_id = sw_jobid_parse(what, &run->id) == 0;
	if (is_id) {
		struct sw_operand job = { .id = &run->id };

		if (run->id.step[0])
			run->job.step = run->id.step;
		status = search(run, &job, user, settings, &is_found);
		if (!is_found && status == SW_EXIT_OK)
			forget(run);
	}
	if (!is_found && status == SW_EXIT_OK)
		status = search(run, &operand, user, settings, &is_found);
	if (is_found || status != SW_EXIT_OK)
		return status;
	if (!is_id && sw_is_folder(what)) {
		forget(run);
		return find_newest(run, what, user, settings);
	}
	if (!is_id && access(what, F_OK) == 0)
		return take_file(run, what, settings);
	return sw_complain(SW_EXIT_NOTHING_FOUND, "%s", operand.unknown.text);
}

void sw_operand_run_fini(struct sw_operand_run *run)
{
	forget(run);
	sw_judge_free(run->judge);
}

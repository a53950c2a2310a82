/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run that "diff RUN" compares with. */
#include "analyzer/verbs/diff_reference.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "analyzer/diff/diff.h"
#include "analyzer/history/history_profile.h"
#include "analyzer/settings/settings.h"
#include "common/path.h"

enum {
	READ_MAX = 128,	   /* runs of a group in the history */
	LOADED_MAX = 16,   /* recordings that are read to find one */
};

/* Starts of one run, from different sources, differ by less. */
static const double SAME_SECONDS = 90;

struct search {
	struct sw_diff_reference *found;
	const struct sw_operand_run *of_files;
	struct sw_profile_run of;
	struct sw_history *history;
	const struct sw_settings *settings;
};

static bool is_own(const struct search *search, const char *job,
		   double start_seconds)
{
	return !strcmp(job, search->of.row.job) &&
	       fabs(start_seconds - search->of.row.run.start_seconds) <
		       SAME_SECONDS;
}

/* The last one before it, or else the newest after it. */
static void find_print(struct search *search)
{
	struct sw_diff_reference *found = search->found;
	double start = search->of.row.run.start_seconds;
	struct sw_error error;
	size_t i;

	if (!search->history ||
	    sw_history_prints(search->history, search->of.row.group, INFINITY,
			      READ_MAX, &found->prints, &error) < 0)
		return;
	for (i = found->prints.count; i > 0; i--) {
		const struct sw_history_print *item =
			&found->prints.items[i - 1];

		if (!sw_diff_is_good(&item->print) ||
		    is_own(search, item->job, item->start_seconds))
			continue;
		if (!found->print)
			found->print = item;
		if (item->start_seconds < start) {
			found->print = item;
			return;
		}
	}
}

/* The folder of a file that was named, or all folders of the user. */
static int list_folders(struct search *search)
{
	const struct sw_places *places = sw_settings_places(search->settings);
	struct sw_operand_run *files = &search->found->files;
	char folder[PATH_MAX];
	struct sw_error error;
	int rc;

	if (search->of_files->path) {
		rc = sw_path_folder(search->of_files->path, folder,
				    sizeof(folder));
		if (rc == 0)
			rc = sw_folders_of(&files->folders, folder, places,
					   &error);
	} else {
		rc = sw_folders_init(&files->folders, places, &error);
	}
	return rc < 0 ? -1
		      : sw_jobfiles_init(&files->files, &files->folders, NULL,
					 &error);
}

static void unload(struct sw_diff_reference *found)
{
	sw_loaded_fini(&found->loaded);
	memset(&found->loaded, 0, sizeof(found->loaded));
}

static bool load(struct search *search, const struct sw_jobfiles_group *group)
{
	struct sw_diff_reference *found = search->found;
	struct sw_job_files *job = &found->files.job;
	struct sw_error error;

	job->paths = (const char *const *)group->paths;
	job->count = group->count;
	job->uid = group->uid;
	job->judge = found->files.folders.judge;
	if (sw_loaded_read(&found->loaded, job, &error) == 0 &&
	    sw_loaded_judge(&found->loaded, NULL, search->history,
			    search->settings, &error) == 0)
		return true;
	unload(found);
	return false;
}

/* Claims of other users are no evidence. */
static bool is_trusted(const struct sw_jobfiles_group *group)
{
	return !group->is_unread && (group->trust == SW_TRUST_OWN ||
				     group->trust == SW_TRUST_PROVEN);
}

/* The recording of the run that the history names. */
static bool find_recording(struct search *search)
{
	const struct sw_jobfiles *files = &search->found->files.files;
	const struct sw_history_print *print = search->found->print;
	char id[NAME_MAX + 1];
	size_t i;

	for (i = 0; i < files->count; i++) {
		const struct sw_jobfiles_group *group = &files->groups[i];
		double start;

		sw_jobfiles_id(group, id, sizeof(id));
		if (strcmp(id, print->job) != 0 || !is_trusted(group) ||
		    !load(search, group))
			continue;
		start = sw_real_u64(search->found->loaded.result.view
					    ->start_realtime_usec) /
			1e6;
		if (fabs(start - print->start_seconds) <
		    SAME_SECONDS)
			return true;
		unload(search->found);
	}
	return false;
}

/* Another whole, successful run of the same group. */
static bool is_reference(struct search *search)
{
	struct sw_loaded *loaded = &search->found->loaded;
	struct sw_profile_run run;

	sw_profile_run(&run, &loaded->job, NULL,
		       sw_settings_group_rules(search->settings));
	return !strcmp(run.row.group, search->of.row.group) &&
	       !is_own(search, run.row.job, run.row.run.start_seconds) &&
	       sw_diff_is_good_run(loaded);
}

static bool find_among_recordings(struct search *search)
{
	const struct sw_jobfiles *files = &search->found->files.files;
	size_t i, loaded = 0;

	for (i = 0; i < files->count && loaded < LOADED_MAX; i++) {
		if (!is_trusted(&files->groups[i]) ||
		    !load(search, &files->groups[i]))
			continue;
		loaded++;
		if (is_reference(search))
			return true;
		unload(search->found);
	}
	return false;
}

void sw_diff_reference_find(struct sw_diff_reference *reference,
			    const struct sw_loaded *of,
			    const struct sw_operand_run *of_files,
			    struct sw_history *history,
			    const struct sw_settings *settings)
{
	struct search search = {
		.found = reference,
		.of_files = of_files,
		.history = history,
		.settings = settings,
	};
	bool is_listed;

	memset(reference, 0, sizeof(*reference));
	sw_profile_run(&search.of, &of->job, NULL,
		       sw_settings_group_rules(settings));
	find_print(&search);
	is_listed = list_folders(&search) == 0;
	if (reference->print) {
		reference->is_loaded = is_listed && find_recording(&search);
		reference->chosen =
			reference->is_loaded
				? "the last good run of its group, by the "
				  "history"
				: "the last good run of its group, by the "
				  "history; its recording was not found";
	} else if (is_listed && find_among_recordings(&search)) {
		reference->is_loaded = true;
		reference->chosen = "the newest good run of its group among "
				    "the recordings; none in the history";
	}
}

void sw_diff_reference_fini(struct sw_diff_reference *reference)
{
	sw_loaded_fini(&reference->loaded);
	sw_operand_run_fini(&reference->files);
	sw_history_prints_fini(&reference->prints);
}

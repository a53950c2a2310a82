/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages about a search for profiles, and the choice between users. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/recordings/jobfiles.h"
#include "analyzer/recordings/store.h"
#include "common/escape.h"
#include "common/missing.h"

void sw_folders_complain(const struct sw_folders *folders)
{
	char name[160], where[256];

	if (!folders->skipped_count)
		return;
	sw_escape_ascii(name, sizeof(name), folders->skipped);
	sw_escape_ascii(where, sizeof(where),
			sw_judge_profile_dir(folders->judge));
	if (folders->skipped_count == 1)
		fprintf(stderr, "stepwell: skipped \"%s\" in %s: %s, so not a "
			"folder of that user\n", name, where,
			folders->skipped_because);
	else
		fprintf(stderr, "stepwell: skipped %zu names in %s that are "
			"not folders of the users they name; the first is "
			"\"%s\", %s\n", folders->skipped_count, where, name,
			folders->skipped_because);
}

static void complain_ignored(const struct sw_jobfiles *files)
{
	char path[512];
	size_t i;

	for (i = 0; i < files->ignored_count && i < SW_IGNORED_MAX; i++)
		fprintf(stderr, "stepwell: %s: altered or foreign, so not "
			"used: %s\n",
			sw_escape_ascii(path, sizeof(path),
					files->ignored[i].path),
			files->ignored[i].because);
	if (files->ignored_count > SW_IGNORED_MAX)
		fprintf(stderr, "stepwell: %zu more files are altered or "
			"foreign\n", files->ignored_count - SW_IGNORED_MAX);
}

void sw_jobfiles_complain(const struct sw_jobfiles *files,
			  const struct sw_judge *judge)
{
	size_t i, claims = 0;

	complain_ignored(files);
	if (files->unlisted_count)
		fprintf(stderr, "stepwell: %s; skipped%s\n",
			files->unlisted.text, files->unlisted_count > 1 ?
			", as were others like it" : "");
	for (i = 0; i < files->count; i++)
		claims += files->groups[i].trust == SW_TRUST_CLAIM;
	if (claims && judge)
		fprintf(stderr, "stepwell: %zu of these %s what %s user%s "
			"say%s: there is no digest in %s to compare with\n",
			claims, claims == 1 ? "is" : "are",
			claims == 1 ? "its" : "their",
			claims == 1 ? "" : "s", claims == 1 ? "s" : "",
			sw_judge_summary_dir(judge, 0));
}

static bool is_same_job(const struct sw_jobfiles_group *one,
			const struct sw_jobfiles_group *two)
{
	return !sw_jobid_compare(&one->id, &two->id) &&
	       !strcmp(one->cluster, two->cluster);
}

void sw_jobfiles_compare(struct sw_jobfiles_group *one,
			 struct sw_jobfiles_group *two)
{
	if (!sw_is_missing(one->id.job) && is_same_job(one, two) &&
	    one->uid != two->uid)
		one->is_disputed = two->is_disputed = true;
}

bool sw_jobfiles_is_disputed(const struct sw_jobfiles *files)
{
	bool has_users = false;
	size_t i;

	for (i = 1; i < files->count; i++) {
		if (!is_same_job(&files->groups[i], &files->groups[0]))
			return false;
		has_users |= files->groups[i].uid != files->groups[0].uid;
	}
	return has_users;
}

uint64_t sw_jobfiles_vouched(const struct sw_jobfiles *files)
{
	uint64_t uid = SW_MISSING;
	size_t i;

	for (i = 0; i < files->count; i++) {
		const struct sw_jobfiles_group *group = &files->groups[i];

		if (group->trust > SW_TRUST_PROVEN || group->is_unread)
			continue;
		if (!sw_is_missing(uid) && uid != group->uid)
			return SW_MISSING;
		uid = group->uid;
	}
	return uid;
}

static bool is_vouched(const struct sw_jobfiles_group *group)
{
	return group->trust <= SW_TRUST_PROVEN && !group->is_unread;
}

/*
 * Return true if the job belongs to another user, verified on its cluster by
 * the number itself, which is Slurm's, or because nothing verifies this user.
 */
static bool is_anothers(const struct sw_jobfiles *files,
			const struct sw_jobfiles_group *group,
			const struct sw_jobid *id)
{
	bool has_number = is_vouched(group) && group->raw_job == id->job;
	bool has_own = false, has_other = false;
	size_t i;

	for (i = 0; i < files->count && !has_number; i++) {
		const struct sw_jobfiles_group *other = &files->groups[i];

		if (!is_vouched(other) ||
		    strcmp(other->cluster, group->cluster) != 0)
			continue;
		if (other->uid == group->uid)
			has_own = true;
		else if (other->raw_job == id->job)
			return true;
		else
			has_other = true;
	}
	return has_other && !has_own;
}

void sw_jobfiles_drop_claims(struct sw_jobfiles *files,
			     const struct sw_jobid *id)
{
	bool is_kept[SW_DISPUTED_MAX];
	size_t i;

	if (files->count > SW_DISPUTED_MAX)
		return;
	for (i = 0; i < files->count; i++)
		is_kept[i] = !is_anothers(files, &files->groups[i], id);
	sw_jobfiles_keep_marked(files, is_kept);
}

void sw_jobfiles_drop_ignored(struct sw_jobfiles *files)
{
	size_t i;

	for (i = 0; i < files->ignored_count && i < SW_IGNORED_MAX; i++)
		free(files->ignored[i].path);
	files->ignored_count = files->unlisted_count = 0;
}

static void free_group(struct sw_jobfiles_group *group)
{
	size_t i;

	for (i = 0; i < group->count; i++)
		free(group->paths[i]);
	free(group->paths);
	for (i = 0; i < group->earlier_count; i++)
		free(group->earlier_paths[i]);
	free(group->earlier_paths);
}

/* Drop group i, or append it to the kept ones. */
static void keep_if(struct sw_jobfiles *files, size_t i, bool is_kept,
		    size_t *kept)
{
	if (is_kept)
		files->groups[(*kept)++] = files->groups[i];
	else
		free_group(&files->groups[i]);
}

void sw_jobfiles_keep(struct sw_jobfiles *files, uint64_t uid)
{
	size_t i, kept = 0;

	for (i = 0; i < files->count; i++)
		keep_if(files, i, files->groups[i].uid == uid, &kept);
	files->count = kept;
}

void sw_jobfiles_keep_marked(struct sw_jobfiles *files, const bool *is_kept)
{
	size_t i, kept = 0;

	for (i = 0; i < files->count; i++)
		keep_if(files, i, is_kept && is_kept[i], &kept);
	files->count = kept;
}

void sw_jobfiles_id(const struct sw_jobfiles_group *group, char *id,
		    size_t size)
{
	if (sw_is_missing(group->id.job))
		sw_store_id(group->paths[0], id, size);
	else
		sw_jobid_format(id, size, &group->id);
}

void sw_jobfiles_fini(struct sw_jobfiles *files)
{
	size_t i;

	for (i = 0; i < files->count; i++)
		free_group(&files->groups[i]);
	free(files->groups);
	sw_jobfiles_drop_ignored(files);
	memset(files, 0, sizeof(*files));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the recordings that a user's word means. */
#include "analyzer/recordings/choose.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/print/similar.h"
#include "analyzer/recordings/store.h"
#include "common/escape.h"
#include "common/missing.h"
#include "common/text.h"
#include "common/units.h"

bool sw_is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool sw_is_path(const char *word)
{
	return strchr(word, '/') || sw_has_suffix(word, ".stepwell") ||
	       sw_has_suffix(word, ".stepwell.part");
}

static bool is_same_file(const char *one, const char *two)
{
	struct stat a, b;

	return stat(one, &a) == 0 && stat(two, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* True if part is a sequence of dot-separated components of id. */
static bool has_part(const char *id, const char *part)
{
	size_t length = strlen(part);
	const char *found = id;

	while (length && (found = strstr(found, part))) {
		if ((found == id || found[-1] == '.') &&
		    (found[length] == '\0' || found[length] == '.'))
			return true;
		found++;
	}
	return false;
}

/* Parse "4-7" or "[4-7]" to the end of the text. */
static bool parse_range(const char *text, uint64_t *first, uint64_t *last)
{
	const bool is_in_brackets = *text == '[';
	char one[24], two[24], end[2] = "";

	if (sscanf(text, is_in_brackets ? "[%20[0-9]-%20[0-9]%1[]]" :
					  "%20[0-9]-%20[0-9]%1s",
		   one, two, end) != 2 + is_in_brackets)
		return false;
	if (is_in_brackets && text[strlen(text) - 1] != ']')
		return false;
	return sw_count_parse(one, 0, UINT32_MAX, first) == 0 &&
	       sw_count_parse(two, 0, UINT32_MAX, last) == 0;
}

/* Is it in a range of jobs, "100-200", or of elements, "123_[4-7]"? */
static bool is_in_range(const struct sw_jobfiles_group *group,
			const char *word)
{
	const char *elements = strchr(word, '_');
	uint64_t first, last, number = group->id.job;
	char job[24];

	if (elements) {
		snprintf(job, sizeof(job), "%.*s", (int)(elements - word),
			 word);
		if (sw_count_parse(job, 0, UINT32_MAX, &number) < 0 ||
		    number != group->id.job)
			return false;
		number = group->id.array_task;
	}
	return !sw_is_missing(number) &&
	       parse_range(elements ? elements + 1 : word, &first, &last) &&
	       number >= first && number <= last;
}

static bool is_job(const struct sw_jobfiles_group *group, const char *word)
{
	struct sw_jobid job;

	if (sw_is_missing(group->id.job))
		return false;
	if (sw_jobid_parse(word, &job) < 0)
		return is_in_range(group, word);
	if (job.step[0])
		return false;
	/* Slurm's own number of an element names it too. */
	return sw_jobid_covers(&job, &group->id) ||
	       (group->raw_job == job.job && !sw_jobid_is_part(&job));
}

enum sw_meant sw_recording_meant(const struct sw_jobfiles_group *group,
				 const char *word)
{
	enum sw_meant meant = SW_MEANT_NOT;
	char id[NAME_MAX + 1];
	size_t i;

	if (is_job(group, word))
		return SW_MEANT_BY_ID;
	if (!strcmp(group->name, word) ||
	    (group->name[0] && strpbrk(word, "*?[") &&
	     fnmatch(word, group->name, 0) == 0))
		meant = SW_MEANT_BY_NAME;
	for (i = 0; i < group->count; i++) {
		sw_store_id(group->paths[i], id, sizeof(id));
		if (!strcmp(id, word) ||
		    (sw_is_path(word) && is_same_file(group->paths[i], word)))
			return SW_MEANT_BY_ID;
		/*
		 * For jobs, a part of a node's or cluster's name is no match.
		 */
		if (sw_is_missing(group->id.job) && has_part(id, word))
			meant = SW_MEANT_BY_PART;
	}
	return meant;
}

/* The closest match of the word with any recording. */
static enum sw_meant closest(const struct sw_jobfiles *files, const char *word)
{
	enum sw_meant least = SW_MEANT_NOT, meant;
	size_t i;

	for (i = 0; i < files->count; i++) {
		meant = sw_recording_meant(&files->groups[i], word);
		if (meant < least)
			least = meant;
	}
	return least;
}

const char *sw_recordings_choose(struct sw_jobfiles *files,
				 char *const *words, int count)
{
	bool *is_kept;
	enum sw_meant least;
	size_t i;
	int word;

	if (count == 0)
		return NULL;
	is_kept = calloc(files->count + 1, sizeof(*is_kept));
	for (word = 0; is_kept && word < count; word++) {
		least = closest(files, words[word]);
		if (least == SW_MEANT_NOT)
			break;
		for (i = 0; i < files->count; i++)
			is_kept[i] |= sw_recording_meant(&files->groups[i],
						words[word]) == least;
	}
	if (is_kept && word == count)
		sw_jobfiles_keep_marked(files, is_kept);
	free(is_kept);
	return word == count ? NULL : words[word];
}

/* Recording with a name similar to a misspelled word, or NULL. */
static const char *find_similar(const struct sw_jobfiles *files,
				const char *word)
{
	const char **names = calloc(files->count + 1, sizeof(*names));
	const char *found;
	size_t i;

	if (!names)
		return NULL;
	for (i = 0; i < files->count; i++)
		names[i] = files->groups[i].name;
	found = sw_similar(word, names, files->count);
	free(names);
	return found;
}

void sw_recordings_say_unknown(struct sw_error *error,
			       const struct sw_jobfiles *files,
			       const char *word)
{
	const char *similar = find_similar(files, word);
	char shown[64], meant[64];

	sw_error_set(error, "no recording has the id or name \"%s\"%s%s%s; "
		     "\"stepwell list\" shows them",
		     sw_escape_ascii(shown, sizeof(shown), word),
		     similar ? " (did you mean \"" : "",
		     similar ? sw_escape_ascii(meant, sizeof(meant), similar) :
			       "", similar ? "\"?)" : "");
	errno = ENOENT;
}

int sw_recordings_find(struct sw_jobfiles *files,
		       const struct sw_folders *folders, const char *word,
		       struct sw_error *unknown, struct sw_error *error)
{
	char *words[] = { (char *)word };

	if (sw_jobfiles_init(files, folders, NULL, error) < 0)
		return -1;
	if (sw_recordings_choose(files, words, 1)) {
		sw_recordings_say_unknown(unknown, files, word);
		sw_jobfiles_keep_marked(files, NULL);
	}
	return 0;
}

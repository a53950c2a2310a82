/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find the recordings that a user's word means: a job id, a recording's id or a
 * part of it, or the name under which it was recorded.
 */
#ifndef SW_ANALYZER_CHOOSE_H
#define SW_ANALYZER_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/recordings/jobfiles.h"

/*
 * Kinds of match of a word with a recording, closest first: an exact id takes
 * precedence over another recording's name.
 */
enum sw_meant {
	SW_MEANT_BY_ID,		/* id of job or recording, or its path; or in a
				 * range: "100-200", "123_[4-7]" */
	SW_MEANT_BY_PART,	/* part between dots: "algn.20261127" */
	SW_MEANT_BY_NAME,	/* or pattern of names: "kmers_*" */
	SW_MEANT_NOT,
};

enum sw_meant sw_recording_meant(const struct sw_jobfiles_group *group,
				 const char *word);

/*
 * Keep the recordings that match any of the words, newest first, only with each
 * word's closest kind of match; without words, all.  Return the first word
 * without a match, before anything was dropped, or NULL.
 */
const char *sw_recordings_choose(struct sw_jobfiles *files,
				 char *const *words, int count);

/*
 * Find the recordings in the folders that match the word.  Return 0, also
 * without a match: then *unknown has a message with the most similar name; or
 * -1 with *error.
 */
int sw_recordings_find(struct sw_jobfiles *files,
		       const struct sw_folders *folders, const char *word,
		       struct sw_error *unknown, struct sw_error *error);

/* The message of sw_recordings_find() for an unknown id or name. */
void sw_recordings_say_unknown(struct sw_error *error,
			       const struct sw_jobfiles *files,
			       const char *word);

/*
 * Return true if the word can only be a path: it has a slash, or a profile's
 * suffix.  Other words mean a recording first, if there is one.
 */
bool sw_is_path(const char *word);
bool sw_is_folder(const char *path);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which recordings a user's word means: a job's id, a recording's id or a part
 * of it, or the name under which it was recorded.
 */
#ifndef SW_ANALYZER_CHOOSE_H
#define SW_ANALYZER_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/recordings/jobfiles.h"

/*
 * How a word means a recording, the closest first: a word that is the id of
 * one recording and the name of another means the former.
 */
enum sw_meant {
	SW_MEANT_BY_ID,		/* of the job or of the recording, its path */
	SW_MEANT_BY_PART,	/* of the id, between dots: "algn.20261127" */
	SW_MEANT_BY_NAME,	/* or a pattern of names: "kmers_*" */
	SW_MEANT_NOT,
};

enum sw_meant sw_recording_meant(const struct sw_jobfiles_group *group,
				 const char *word);

/*
 * Keep the recordings that one of the words means, newest first, each by the
 * closest way that its word has; without words, all.  Returns the first word that
 * means none, after which nothing was dropped, or NULL.
 */
const char *sw_recordings_choose(struct sw_jobfiles *files,
				 char *const *words, int count);

/*
 * The recordings in the folders that the word means.  0, also where there is
 * none: then *unknown says so, with the name that was probably meant; or -1
 * with *error.
 */
int sw_recordings_find(struct sw_jobfiles *files,
		       const struct sw_folders *folders, const char *word,
		       struct sw_error *unknown, struct sw_error *error);

/* No recording has this id or name: what sw_recordings_find() says. */
void sw_recordings_say_unknown(struct sw_error *error,
			       const struct sw_jobfiles *files,
			       const char *word);

/*
 * Whether the word can only be a path: it has a slash, or a profile's ending.
 * Others mean a recording first, whatever lies in the working folder.
 */
bool sw_is_path(const char *word);
bool sw_is_folder(const char *path);

#endif

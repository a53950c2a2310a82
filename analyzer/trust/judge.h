/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trust in a profile.  A file that a user can write is only a claim of that
 * user: the owner of the file, the user of the job in it, and the digest in the
 * recorders' summaries have to agree.
 */
#ifndef SW_ANALYZER_JUDGE_H
#define SW_ANALYZER_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "profiles/reader.h"

enum sw_trust {
	SW_TRUST_OWN,		/* file of the reader or root */
	SW_TRUST_PROVEN,	/* of another user, confirmed by summaries */
	SW_TRUST_CLAIM,		/* of another user, without any digest */
	SW_TRUST_NONE,		/* altered or foreign: ignored */
};

/* "own", "proven", "claim", "none". */
extern const char *const sw_trust_names[];

enum { SW_VERDICT_SIZE = 160 };

struct sw_verdict {
	enum sw_trust trust;
	uint64_t owner, uid;	/* of the file, and of its job */
	char because[SW_VERDICT_SIZE];	/* reason for NONE */
};

/* Folders of a site; NULL: default. */
struct sw_places {
	char *profile_dir;	/* with a folder per user, by UID */
	char *summaries_dir;	/* of this node */
	char **summary_dirs;	/* of all nodes; none: summaries_dir */
	size_t summary_dir_count;
};

/* Folder of this node's summaries; places may be NULL. */
const char *sw_places_summaries(const struct sw_places *places);

struct sw_judge;

/*
 * Create a judge for the folders of the site (NULL: defaults).  Summaries are
 * read on first use, and ignored if unreadable.  Return NULL with *error if out
 * of memory; free with sw_judge_free(), which accepts NULL.
 */
struct sw_judge *sw_judge_new(const struct sw_places *places,
			      struct sw_error *error);
void sw_judge_free(struct sw_judge *judge);

/*
 * Return the user of the folder below profile_dir that contains a path, by its
 * name: "1001" and "1001.1" to "1001.9" are of user 1001.  SW_MISSING: none.
 */
uint64_t sw_judge_folder_uid(const struct sw_judge *judge, const char *path);

/* Likewise for the folder's name. */
uint64_t sw_judge_name_uid(const char *name);

/* Parent of the users' folders. */
const char *sw_judge_profile_dir(const struct sw_judge *judge);
/* Folders of summaries, from 0 on; at least one; NULL at the end. */
const char *sw_judge_summary_dir(const struct sw_judge *judge, size_t number);

/*
 * Open the profile at path and set the trust in it.  A user's folder has to be
 * real and the user's, and only files of that user in it are accepted, no
 * links. judge NULL: everything is the reader's own.  Otherwise like
 * sw_reader_open_in().
 */
struct sw_reader *sw_judge_open(struct sw_judge *judge, const char *path,
				const struct sw_reader_want *want,
				struct sw_verdict *verdict,
				struct sw_error *error);

/*
 * Return true if the file at path is in a summary folder that only its owner
 * and root can write to, and belongs to them.
 */
bool sw_judge_is_summary(struct sw_judge *judge, const char *path);

/* True for a folder of summaries. */
bool sw_judge_is_summaries(struct sw_judge *judge, const char *folder);

#endif

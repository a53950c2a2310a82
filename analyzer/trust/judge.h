/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a profile can be believed.  What a user can write is that user's
 * claim: who owns the file, whose job it says to be of, and the digest that
 * the recorders' summaries have of it must agree.
 */
#ifndef SW_ANALYZER_JUDGE_H
#define SW_ANALYZER_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "profiles/reader.h"

enum sw_trust {
	SW_TRUST_OWN,		/* the reader's own file, or root's */
	SW_TRUST_PROVEN,	/* another's, as the summaries have it */
	SW_TRUST_CLAIM,		/* another's, with nothing to compare it to */
	SW_TRUST_NONE,		/* altered or foreign: it counts nowhere */
};

/* "own", "proven", "claim", "none". */
extern const char *const sw_trust_names[];

enum { SW_VERDICT_SIZE = 160 };

struct sw_verdict {
	enum sw_trust trust;
	uint64_t owner, uid;	/* of the file, and of the job in it */
	char because[SW_VERDICT_SIZE];	/* why it is none */
};

/* A site's folders; NULL: the default. */
struct sw_places {
	char *profile_dir;	/* with one for each user, by UID */
	char *summaries_dir;	/* this node's own */
	char **summary_dirs;	/* of all nodes; none: summaries_dir */
	size_t summary_dir_count;
};

/* Where the summaries of this node itself are; places may be NULL. */
const char *sw_places_summaries(const struct sw_places *places);

struct sw_judge;

/*
 * By the folders of the site (NULL: the defaults).  The summaries are read
 * when they are asked for first; where they cannot be, there are none.  NULL
 * with *error without memory; free with sw_judge_free(), which takes NULL.
 */
struct sw_judge *sw_judge_new(const struct sw_places *places,
			      struct sw_error *error);
void sw_judge_free(struct sw_judge *judge);

/*
 * Whose folder below profile_dir a path lies in, by its name: "1001" and
 * "1001.1" to "1001.9" are of user 1001.  SW_MISSING: in none.
 */
uint64_t sw_judge_folder_uid(const struct sw_judge *judge, const char *path);

/* The same of a name alone. */
uint64_t sw_judge_name_uid(const char *name);

/* Where the users' folders are. */
const char *sw_judge_profile_dir(const struct sw_judge *judge);
/* The folders of summaries, from 0 on; there is one at least; NULL: no more. */
const char *sw_judge_summary_dir(const struct sw_judge *judge, size_t number);

/*
 * Read the profile at path and say how far it can be believed.  In a user's
 * folder nothing is taken but that user's own files, and no link; that folder
 * has to be a real one, and the user's.  judge NULL: all is the reader's own.
 * As sw_reader_open_in().
 */
struct sw_reader *sw_judge_open(struct sw_judge *judge, const char *path,
				const struct sw_reader_want *want,
				struct sw_verdict *verdict,
				struct sw_error *error);

/*
 * Whether the file at path lies in a folder of summaries, which nobody but
 * its owner and root can write to, and is theirs.
 */
bool sw_judge_is_summary(struct sw_judge *judge, const char *path);

/* Whether folder is one of summaries. */
bool sw_judge_is_summaries(struct sw_judge *judge, const char *folder);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The digests of profiles that the summaries of nodes have: what a profile was
 * when the recorder handed it to its user.
 */
#ifndef SW_ANALYZER_DIGESTS_H
#define SW_ANALYZER_DIGESTS_H

#include <stdint.h>

#include "profiles/digest.h"

struct sw_digests;

enum sw_digest_answer {
	SW_DIGEST_UNKNOWN,	/* nothing is known of the job on that node */
	SW_DIGEST_SAME,
	SW_DIGEST_OTHER,	/* the job's profile there is another one */
	SW_DIGEST_FOREIGN,	/* the job is another user's */
};

/* What is asked for. */
struct sw_digest_question {
	const char *cluster, *node;	/* "" or NULL: not known */
	uint64_t job_id, uid;
	const char *digest;
};

/*
 * All that the files of an opened folder have, of those that are owner's or
 * root's, beside what is there already (NULL: nothing).  NULL without memory;
 * what was there is freed then.
 */
struct sw_digests *sw_digests_add(struct sw_digests *digests, int dirfd,
				  const char *folder, uint64_t owner);
void sw_digests_free(struct sw_digests *digests);

/* digests may be NULL: there are none. */
enum sw_digest_answer sw_digests_ask(const struct sw_digests *digests,
				     const struct sw_digest_question *what);

/* "2026-11-21.n1.stepwell" is of n1. */
void sw_digests_node(const char *path, char *node, size_t size);

#endif

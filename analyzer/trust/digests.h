/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Digests of profiles in the summaries of nodes: of each profile at the time
 * when the recorder delivered it to its user.
 */
#ifndef SW_ANALYZER_DIGESTS_H
#define SW_ANALYZER_DIGESTS_H

#include <stdint.h>

#include "profiles/digest.h"

struct sw_digests;

enum sw_digest_answer {
	SW_DIGEST_UNKNOWN,	/* no row of the job on that node */
	SW_DIGEST_SAME,
	SW_DIGEST_OTHER,	/* the job's profile there differs */
	SW_DIGEST_FOREIGN,	/* the job belongs to another user */
};

/* A query. */
struct sw_digest_question {
	const char *cluster, *node;	/* "" or NULL: unknown */
	uint64_t job_id, uid;
	const char *digest;
};

/*
 * Add the digests in the files of an open folder that belong to owner or root
 * (digests NULL: a new set).  Return NULL if out of memory; digests is freed
 * then.
 */
struct sw_digests *sw_digests_add(struct sw_digests *digests, int dirfd,
				  const char *folder, uint64_t owner);
void sw_digests_free(struct sw_digests *digests);

/* digests may be NULL if there are none. */
enum sw_digest_answer sw_digests_ask(const struct sw_digests *digests,
				     const struct sw_digest_question *what);

/* Node of a file name: n1 for "2026-11-21.n1.stepwell". */
void sw_digests_node(const char *path, char *node, size_t size);

#endif

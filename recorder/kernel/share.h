/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of something that all jobs of a node have in common each of them
 * holds.  Nobody is promised a fixed part.  Instead a user may hold no more
 * than is left, and a job no more than its user has not used of that: the
 * first job alone gets a third, and whoever comes behind those that take all
 * they can still finds some (dynamic thresholds: Choudhury and Hahne, IEEE/ACM
 * Transactions on Networking 6, 1998).
 */
#ifndef SW_RECORDER_SHARE_H
#define SW_RECORDER_SHARE_H

#include <stdbool.h>
#include <stdint.h>

struct sw_share_pool;

/* What one user's jobs hold together. */
struct sw_share_user {
	struct sw_share_user *next;	/* of the pool */
	uint32_t uid;
	unsigned jobs;
	uint64_t used;
};

/* What one job holds. */
struct sw_share {
	struct sw_share_pool *pool;
	struct sw_share_user *user;
	uint64_t used;
};

struct sw_share_pool {
	uint64_t capacity, used;
	struct sw_share_user *users;
};

/* A job of this user; NULL without memory. */
struct sw_share *sw_share_open(struct sw_share_pool *pool, uint32_t uid);

/* What it holds is given back.  Takes NULL. */
void sw_share_close(struct sw_share *share);

/*
 * Take so much more; false, and nothing is taken, where that is beyond its
 * share.  share NULL: there is nobody to share with.
 */
bool sw_share_take(struct sw_share *share, uint64_t amount);
void sw_share_give(struct sw_share *share, uint64_t amount);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shares of a resource common to all jobs of a node.  No job has a fixed part.
 * Instead a user may hold no more than is left, and a job no more than its user
 * has not used of that: the first job alone gets a third, and a later job still
 * finds some after those that take all they can (dynamic thresholds: Choudhury
 * and Hahne, IEEE/ACM Transactions on Networking 6, 1998).
 */
#ifndef SW_RECORDER_SHARE_H
#define SW_RECORDER_SHARE_H

#include <stdbool.h>
#include <stdint.h>

struct sw_share_pool;

/* The total of one user's jobs. */
struct sw_share_user {
	struct sw_share_user *next;	/* in the pool */
	uint32_t uid;
	unsigned jobs;
	uint64_t used;
};

/* The share of one job. */
struct sw_share {
	struct sw_share_pool *pool;
	struct sw_share_user *user;
	uint64_t used;
};

struct sw_share_pool {
	uint64_t capacity, used;
	struct sw_share_user *users;
};

/* Add a job of this user.  Return NULL if out of memory. */
struct sw_share *sw_share_open(struct sw_share_pool *pool, uint32_t uid);

/* Return everything to the pool and free the share.  Accepts NULL. */
void sw_share_close(struct sw_share *share);

/*
 * Take amount more.  Return false and take nothing if that exceeds the share.
 * share NULL: the resource is not shared.
 */
bool sw_share_take(struct sw_share *share, uint64_t amount);
void sw_share_give(struct sw_share *share, uint64_t amount);

#endif

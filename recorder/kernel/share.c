/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares of a common resource, by job. */
#include "recorder/kernel/share.h"

#include <stdlib.h>

#include "common/delta.h"

static struct sw_share_user *need_user(struct sw_share_pool *pool,
				       uint32_t uid)
{
	struct sw_share_user *user = pool->users;

	while (user && user->uid != uid)
		user = user->next;
	if (user)
		return user;
	user = calloc(1, sizeof(*user));
	if (!user)
		return NULL;
	user->uid = uid;
	user->next = pool->users;
	pool->users = user;
	return user;
}

static void leave_user(struct sw_share_pool *pool, struct sw_share_user *user)
{
	struct sw_share_user **link = &pool->users;

	if (--user->jobs > 0)
		return;
	while (*link != user)
		link = &(*link)->next;
	*link = user->next;
	free(user);
}

struct sw_share *sw_share_open(struct sw_share_pool *pool, uint32_t uid)
{
	struct sw_share *share = calloc(1, sizeof(*share));

	if (!share)
		return NULL;
	share->pool = pool;
	share->user = need_user(pool, uid);
	if (!share->user) {
		free(share);
		return NULL;
	}
	share->user->jobs++;
	return share;
}

void sw_share_close(struct sw_share *share)
{
	if (!share)
		return;
	sw_share_give(share, share->used);
	leave_user(share->pool, share->user);
	free(share);
}

bool sw_share_take(struct sw_share *share, uint64_t amount)
{
	uint64_t left, held;

	if (!share)
		return true;
	left = sw_excess_u64(share->pool->capacity, share->pool->used);
	held = share->user->used + share->used;
	/* Compare usage after the take, of user and job as well as of all. */
	if (amount > left || held + 2 * amount > left - amount)
		return false;
	share->used += amount;
	share->user->used += amount;
	share->pool->used += amount;
	return true;
}

void sw_share_give(struct sw_share *share, uint64_t amount)
{
	if (!share)
		return;
	share->used -= amount;
	share->user->used -= amount;
	share->pool->used -= amount;
}

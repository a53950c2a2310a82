/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recent messages of the kernel about exits. */
#include "recorder/programs/exit_feed.h"

#include "common/missing.h"

void sw_exit_feed_begin(struct sw_exit_feed *feed, uint64_t now_nsec)
{
	feed->count = 0;
	feed->blind_nsec = feed->read_nsec = now_nsec;
	feed->proof_nsec = 0;
}

void sw_exit_feed_put(struct sw_exit_feed *feed, const struct sw_exit *exit)
{
	feed->exit[feed->count++ % SW_EXIT_FEED_SIZE] = *exit;
	feed->proof_nsec = sw_max_u64(feed->proof_nsec, exit->time_nsec);
}

const struct sw_exit *sw_exit_feed_next(const struct sw_exit_feed *feed,
					uint64_t *at, uint64_t until_nsec,
					uint64_t *blind_nsec)
{
	const struct sw_exit *exit;

	if (feed->count - *at > SW_EXIT_FEED_SIZE) {
		*at = feed->count - SW_EXIT_FEED_SIZE;
		exit = &feed->exit[*at % SW_EXIT_FEED_SIZE];
		*blind_nsec = sw_max_u64(*blind_nsec, exit->time_nsec);
	}
	if (*at == feed->count)
		return NULL;
	exit = &feed->exit[*at % SW_EXIT_FEED_SIZE];
	if (exit->time_nsec > until_nsec)
		return NULL;
	++*at;
	return exit;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel has told of ends of threads lately, for all steps, and for
 * which times its silence says something.  No system calls; times are of
 * CLOCK_BOOTTIME.
 */
#ifndef SW_RECORDER_EXIT_FEED_H
#define SW_RECORDER_EXIT_FEED_H

#include "common/exit_socket.h"

enum { SW_EXIT_FEED_SIZE = 4096 };

struct sw_exit_feed {
	struct sw_exit exit[SW_EXIT_FEED_SIZE]; /* the last ones, as a ring */
	uint64_t count;	     /* of all that were ever put in */
	uint64_t blind_nsec; /* until then some may have been lost */
	uint64_t read_nsec;  /* what had been told until then is in it */
	uint64_t proof_nsec; /* the last message was made then */
};

/* Of first threads, and of all others: by enum sw_exit_threads. */
struct sw_exit_feeds {
	struct sw_exit_feed of[SW_EXIT_OTHER_THREADS + 1];
	/* No thread that ended before was still to tell of it then. */
	uint64_t idle_nsec;
};

/* Nothing is known of what was before now. */
void sw_exit_feed_begin(struct sw_exit_feed *feed, uint64_t now_nsec);

void sw_exit_feed_put(struct sw_exit_feed *feed, const struct sw_exit *exit);

/*
 * The next one for a reader that has read all up to *at and wants those until
 * that time; NULL: none yet.  *blind_nsec: until then the reader has missed
 * some, because it came too late; as it was where it did not.
 */
const struct sw_exit *sw_exit_feed_next(const struct sw_exit_feed *feed,
					uint64_t *at, uint64_t until_nsec,
					uint64_t *blind_nsec);

#endif

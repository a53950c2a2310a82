/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recent messages of the kernel about exits of threads, of all steps, and the
 * times for which the absence of a message is meaningful.  Makes no system
 * calls; times are CLOCK_BOOTTIME.
 */
#ifndef SW_RECORDER_EXIT_FEED_H
#define SW_RECORDER_EXIT_FEED_H

#include "common/exit_socket.h"

enum { SW_EXIT_FEED_SIZE = 4096 };

struct sw_exit_feed {
	struct sw_exit exit[SW_EXIT_FEED_SIZE]; /* ring buffer */
	uint64_t count;	     /* total number of messages */
	uint64_t blind_nsec; /* messages until then may have been lost */
	uint64_t read_nsec;  /* messages until then have been read */
	uint64_t proof_nsec; /* time of the last message */
};

/* Feeds of first threads, and of all others: by enum sw_exit_threads */
struct sw_exit_feeds {
	struct sw_exit_feed of[SW_EXIT_OTHER_THREADS + 1];
	/* At this time no exited thread had still to be reported. */
	uint64_t idle_nsec;
};

/* Start empty; nothing is known about the time before now. */
void sw_exit_feed_begin(struct sw_exit_feed *feed, uint64_t now_nsec);

void sw_exit_feed_put(struct sw_exit_feed *feed, const struct sw_exit *exit);

/*
 * Return the next message for a reader at position *at, up to that time, or
 * NULL.  If the reader came too late and has missed messages, *blind_nsec is
 * raised to the time until which they are missing.
 */
const struct sw_exit *sw_exit_feed_next(const struct sw_exit_feed *feed,
					uint64_t *at, uint64_t until_nsec,
					uint64_t *blind_nsec);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Receive the kernel's messages about exits, for the whole recorder. */
#include "recorder/programs/exits.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "common/delta.h"
#include "common/units.h"
#include "recorder/kernel/kernfile.h"

enum {
	/* Limits a round to some 1 ms of CPU time */
	BATCHES_MAX = 32,
	NSEC_PER_MSEC = 1000000,
	/* The clocks drift apart by suspension only. */
	CLOCK_TRIES = 3,
	SUSPENSION_NSEC = 10 * NSEC_PER_MSEC,
	PROBE_NSEC = 200 * NSEC_PER_MSEC,
	/* Upper limit unless the machine is overloaded */
	OPEN_MSEC = 5,
	/*
	 * A turn on a CPU, with some margin: a thread runs until the next tick,
	 * 10 ms at most, however short its slice is.
	 */
	TURN_NSEC = 25 * NSEC_PER_MSEC,
	NAP_NSEC = 1 * NSEC_PER_MSEC,
	FINISH_NSEC = 200 * NSEC_PER_MSEC,
	/* Minimum, since a machine that was stopped sent no messages */
	FINISH_NAPS = 10,
	LANES = SW_EXIT_OTHER_THREADS + 1,
};

static struct {
	struct sw_exit_feeds feeds;
	struct {
		int fd;
		bool is_lossy; /* since it was last empty */
	} lane[LANES];
	unsigned users;
	uint64_t suspended_nsec; /* CLOCK_BOOTTIME minus CLOCK_MONOTONIC */
	uint64_t probe_nsec;
} ear;

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * SW_USEC_PER_SEC * SW_NSEC_PER_USEC +
	       (uint64_t)now.tv_nsec;
}

static uint64_t now_nsec(void)
{
	return read_clock(CLOCK_BOOTTIME);
}

/*
 * Return how long the machine has been suspended.  The result must not be too
 * small, or a message would seem older than its exit.  It is too large by
 * delays of this process between two clock reads, so take the minimum of
 * several tries.
 */
static uint64_t read_suspended(void)
{
	uint64_t monotonic, least = UINT64_MAX;
	unsigned i;

	for (i = 0; i < CLOCK_TRIES; i++) {
		monotonic = read_clock(CLOCK_MONOTONIC);
		least = sw_min_u64(least,
				   sw_excess_u64(now_nsec(), monotonic));
	}
	return least;
}

/* Messages from before a suspension have unknown times: they count as lost. */
static bool was_suspended(void)
{
	uint64_t suspended = read_suspended();
	bool is_news = suspended > ear.suspended_nsec + SUSPENSION_NSEC;

	/* The smaller value is the more exact. */
	if (is_news || suspended < ear.suspended_nsec)
		ear.suspended_nsec = suspended;
	return is_news;
}

/* Return true if there are no more messages. */
static bool take_batch(unsigned lane)
{
	struct sw_exit_batch batch;
	size_t i;

	sw_exit_socket_read(ear.lane[lane].fd, &batch);
	ear.lane[lane].is_lossy |= batch.has_lost;
	for (i = 0; i < batch.count; i++) {
		batch.exit[i].time_nsec += ear.suspended_nsec;
		sw_exit_feed_put(&ear.feeds.of[lane], &batch.exit[i]);
	}
	return batch.is_last;
}

static void read_lane(unsigned lane, bool was_away)
{
	struct sw_exit_feed *feed = &ear.feeds.of[lane];
	uint64_t begin = now_nsec();
	bool is_empty = false;
	unsigned i;

	for (i = 0; i < BATCHES_MAX && !is_empty; i++)
		is_empty = take_batch(lane);
	/* After a loss, the kernel drops messages until the queue is empty. */
	if (ear.lane[lane].is_lossy || was_away)
		feed->blind_nsec = sw_max_u64(feed->blind_nsec, now_nsec());
	if (!is_empty)
		return;
	ear.lane[lane].is_lossy = false;
	feed->read_nsec = begin;
}

static void read_all(void)
{
	bool was_away = was_suspended();
	unsigned i;

	for (i = 0; i < LANES; i++)
		read_lane(i, was_away);
}

void sw_exits_take(struct sw_ends *ends, uint64_t until_nsec,
		   sw_ends_living_f *is_living, void *context)
{
	uint64_t now = now_nsec();

	if (!ends->feeds)
		return;
	read_all();
	sw_ends_take(ends, until_nsec, is_living, context);
	if (!sw_ends_need_proof(ends, now) || now < ear.probe_nsec + PROBE_NSEC)
		return;
	ear.probe_nsec = now;
	sw_exit_probe();
}

/* Return the number of runnable threads, including this one; 0: unknown. */
static unsigned count_running(int proc_fd)
{
	unsigned running = 0;
	char text[128];

	if (sw_kernfile_slurp(proc_fd, "loadavg", text, sizeof(text)) !=
		    SW_READ_OK ||
	    sscanf(text, "%*s %*s %*s %u/", &running) != 1)
		return 0;
	return running;
}

/*
 * Return how long a message about an exited thread may be delayed at most,
 * given the current load.  If only this thread is runnable, none is
 * outstanding.
 */
static uint64_t look_at_load(int proc_fd)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t now = now_nsec();
	unsigned running = count_running(proc_fd);

	if (running == 1)
		ear.feeds.idle_nsec = now;
	if (!running || cpus < 1)
		return FINISH_NSEC;
	return TURN_NSEC + TURN_NSEC * (uint64_t)running / (uint64_t)cpus;
}

/* Return whether all messages about exits until then have come. */
static bool is_complete(uint64_t last_nsec, uint64_t patience_nsec)
{
	const struct sw_exit_feed *feed = ear.feeds.of;
	uint64_t read = sw_min_u64(feed[SW_EXIT_FIRST_THREADS].read_nsec,
				   feed[SW_EXIT_OTHER_THREADS].read_nsec);

	return feed[SW_EXIT_FIRST_THREADS].proof_nsec > last_nsec &&
	       (sw_min_u64(ear.feeds.idle_nsec, read) >= last_nsec ||
		read >= last_nsec + patience_nsec);
}

void sw_exits_finish(struct sw_ends *ends, sw_ends_living_f *is_living,
		     void *context)
{
	const struct timespec nap = { .tv_nsec = NAP_NSEC };
	uint64_t last = ends->feeds ? sw_ends_last_nsec(ends) : SW_MISSING;
	uint64_t begin = now_nsec(), patience = 0;
	unsigned naps = 0;

	if (sw_is_missing(last))
		return;
	sw_exit_probe();
	for (;;) {
		patience = sw_max_u64(
			patience,
			look_at_load(ends->programs->target.proc_fd));
		read_all();
		if ((ear.feeds.idle_nsec >= last || naps >= FINISH_NAPS) &&
		    (is_complete(last, patience) ||
		     now_nsec() >= begin + FINISH_NSEC))
			break;
		nanosleep(&nap, NULL);
		naps++;
	}
	sw_ends_take(ends, now_nsec(), is_living, context);
	sw_ends_settle(ends, patience);
}

static void begin_lane(unsigned lane, int fd)
{
	ear.lane[lane].fd = fd;
	ear.lane[lane].is_lossy = false;
	sw_exit_feed_begin(&ear.feeds.of[lane], now_nsec());
	/* Without a socket, the absence of messages means nothing. */
	if (fd < 0)
		ear.feeds.of[lane].blind_nsec = UINT64_MAX - 1;
}

/* Return 0, with *error set if messages may only come later. */
static int begin(struct sw_error *error)
{
	struct sw_error why;
	int fd = sw_exit_socket_open(SW_EXIT_FIRST_THREADS, &why);

	if (fd < 0)
		return sw_error_set(error, "exits: %s", why.text);
	if (!sw_exit_socket_tells(fd, OPEN_MSEC))
		sw_error_set(error, "exits: the kernel sent no exit event");
	begin_lane(SW_EXIT_FIRST_THREADS, fd);
	begin_lane(SW_EXIT_OTHER_THREADS,
		   sw_exit_socket_open(SW_EXIT_OTHER_THREADS, &why));
	ear.feeds.idle_nsec = 0;
	ear.probe_nsec = 0;
	ear.suspended_nsec = read_suspended();
	return 0;
}

const struct sw_exit_feeds *sw_exits_open(struct sw_error *error)
{
	error->text[0] = '\0';
	if (ear.users == 0 && begin(error) < 0)
		return NULL;
	ear.users++;
	return &ear.feeds;
}

void sw_exits_close(void)
{
	unsigned i;

	if (--ear.users > 0)
		return;
	for (i = 0; i < LANES; i++)
		sw_exit_socket_close(ear.lane[i].fd);
}

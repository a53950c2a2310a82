/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder's one ear for how processes end. */
#include "recorder/programs/exits.h"

#include <poll.h>
#include <time.h>

#include "common/delta.h"
#include "common/units.h"

enum {
	/* Whatever others do: some 1 ms of CPU time a round. */
	BATCHES_MAX = 32,
	NSEC_PER_MSEC = 1000000,
	/* The clocks drift apart by suspension only. */
	CLOCK_TRIES = 3,
	SUSPENSION_NSEC = 10 * NSEC_PER_MSEC,
	PROBE_NSEC = 200 * NSEC_PER_MSEC,
	/* So long it takes at most where the machine is not overloaded. */
	OPEN_MSEC = 5,
	FINISH_NSEC = 20 * NSEC_PER_MSEC,
};

static struct {
	struct sw_exit_feed feed;
	int fd;
	unsigned users;
	bool is_lossy;		 /* since it was empty last */
	uint64_t suspended_nsec; /* CLOCK_BOOTTIME less CLOCK_MONOTONIC */
	uint64_t probe_nsec;
} ear = { .fd = -1 };

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
 * How long the machine has been suspended.  Never too little, or a message
 * would seem to be older than the end that it tells of; too much is what this
 * process was held up between two clocks, the least of a few times.
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

/* Of what was told before a suspension the time is not known: it is lost. */
static bool was_suspended(void)
{
	uint64_t suspended = read_suspended();
	bool is_news = suspended > ear.suspended_nsec + SUSPENSION_NSEC;

	/* What was read undisturbed is the better one. */
	if (is_news || suspended < ear.suspended_nsec)
		ear.suspended_nsec = suspended;
	return is_news;
}

/* True: there are no more. */
static bool take_batch(void)
{
	struct sw_exit_batch batch;
	size_t i;

	sw_exit_socket_read(ear.fd, &batch);
	ear.is_lossy |= batch.has_lost;
	for (i = 0; i < batch.count; i++) {
		batch.exit[i].time_nsec += ear.suspended_nsec;
		sw_exit_feed_put(&ear.feed, &batch.exit[i]);
	}
	return batch.is_last;
}

static void read_all(void)
{
	bool was_away = was_suspended(), is_empty = false;
	uint64_t begin = now_nsec();
	unsigned i;

	for (i = 0; i < BATCHES_MAX && !is_empty; i++)
		is_empty = take_batch();
	/* The kernel drops messages from the first lost one until it is empty. */
	if (ear.is_lossy || was_away)
		ear.feed.blind_nsec = now_nsec();
	if (!is_empty)
		return;
	ear.is_lossy = false;
	ear.feed.read_nsec = begin;
}

/* Read until it is proven up to that time, or for so long. */
static void await(uint64_t proof_nsec, uint64_t wait_nsec)
{
	struct pollfd polled = { .fd = ear.fd, .events = POLLIN };
	uint64_t begin = now_nsec(), left = wait_nsec;
	struct timespec timeout;

	read_all();
	while (ear.feed.proof_nsec <= proof_nsec && left > 0) {
		timeout = (struct timespec){ .tv_nsec = (long)left };
		ppoll(&polled, 1, &timeout, NULL);
		read_all();
		left = sw_excess_u64(begin + wait_nsec, now_nsec());
	}
}

void sw_exits_take(struct sw_ends *ends, uint64_t until_nsec,
		   sw_ends_living_f *is_living, void *context)
{
	uint64_t now = now_nsec();

	if (!ends->feed)
		return;
	read_all();
	sw_ends_take(ends, until_nsec, is_living, context);
	if (!sw_ends_need_proof(ends, now) || now < ear.probe_nsec + PROBE_NSEC)
		return;
	ear.probe_nsec = now;
	sw_exit_probe();
}

static void sleep_until(uint64_t nsec)
{
	struct timespec pause = { .tv_nsec = 0 };

	/* LATE at most. */
	pause.tv_nsec = (long)sw_excess_u64(nsec, now_nsec());
	nanosleep(&pause, NULL);
}

void sw_exits_finish(struct sw_ends *ends, sw_ends_living_f *is_living,
		     void *context)
{
	uint64_t last = ends->feed ? sw_ends_last_nsec(ends) : SW_MISSING;

	if (sw_is_missing(last))
		return;
	sw_exit_probe();
	sleep_until(last + SW_ENDS_LATE_NSEC);
	await(last, FINISH_NSEC);
	sw_ends_take(ends, now_nsec(), is_living, context);
	sw_ends_settle(ends);
}

/* 0 with *error where it may only tell later. */
static int begin(struct sw_error *error)
{
	struct sw_error why;

	ear.fd = sw_exit_socket_open(&why);
	if (ear.fd < 0)
		return sw_error_set(error, "exits: %s", why.text);
	if (!sw_exit_socket_tells(ear.fd, OPEN_MSEC))
		sw_error_set(error, "exits: the kernel sent no exit event");
	sw_exit_feed_begin(&ear.feed, now_nsec());
	ear.is_lossy = false;
	ear.probe_nsec = 0;
	ear.suspended_nsec = read_suspended();
	return 0;
}

const struct sw_exit_feed *sw_exits_open(struct sw_error *error)
{
	error->text[0] = '\0';
	if (ear.users == 0 && begin(error) < 0)
		return NULL;
	ear.users++;
	return &ear.feed;
}

void sw_exits_close(void)
{
	if (--ear.users > 0)
		return;
	sw_exit_socket_close(ear.fd);
	ear.fd = -1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the loop, and the thread that loads BPF.
 *
 * Load BPF part by part in a thread.  Only that thread touches a part until it
 * is done, and it never does so afterwards.  The thread never exits: reaped.c
 * subtracts the I/O of the recorder's own threads from the command's, and the
 * kernel loses track of it when a thread exits.
 */
#include "recorder/bpf/bpf_up.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "recorder/bpf/exec_load.h"
#include "recorder/bpf/failures.h"
#include "recorder/bpf/polls.h"
#include "recorder/bpf/snapshot.h"
#include "recorder/bpf/spins.h"
#include "recorder/bpf/waits.h"

enum { NSEC_PER_MSEC = 1000000, MSEC_PER_SEC = 1000 };

static struct {
	pthread_mutex_t lock;	/* protects the members down to nap_msec */
	pthread_cond_t is_further;	/* goal or done has changed */
	bool has_thread;
	int goal, done;			/* number of parts */
	int fd;				/* -1: not open, or failed */
	unsigned int nap_msec;
	struct exec_bpf *records;
	struct sw_error error;		/* reason why records is NULL */
} up = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.is_further = PTHREAD_COND_INITIALIZER,
	.fd = -1,
};

static void bring_up(enum sw_bpf_part part)
{
	struct sw_error error;

	if (part == SW_BPF_RECORDS) {
		up.records = sw_exec_load(&up.error);
		if (!up.records)
			return;
		sw_exec_compare_clocks(up.records);
		/* Open now: the first program of a step may fail. */
		sw_failures_open(up.records, getenv("STEPWELL_FAILURES"),
				 &error);
	} else if (up.records) {
		/* If these are unavailable, /proc is read instead. */
		sw_snapshot_open(up.records->maps.processes,
				 getenv("STEPWELL_SNAPSHOT"), &error);
		sw_waits_open(up.records->maps.processes,
			      getenv("STEPWELL_WAITS"), &error);
		sw_polls_open(up.records->maps.processes, &error);
		sw_spins_open(&error);
	}
}

static void nap(unsigned int msec)
{
	const struct timespec time = {
		.tv_sec = msec / MSEC_PER_SEC,
		.tv_nsec = (long)(msec % MSEC_PER_SEC) * NSEC_PER_MSEC,
	};

	if (msec)
		nanosleep(&time, NULL);
}

/* Called with the lock held. */
static void work(void)
{
	const uint64_t one = 1;
	ssize_t written;

	while (up.done < up.goal) {
		enum sw_bpf_part part = (enum sw_bpf_part)up.done;

		pthread_mutex_unlock(&up.lock);
		bring_up(part);
		pthread_mutex_lock(&up.lock);
		up.done++;
		pthread_cond_broadcast(&up.is_further);
		written = up.fd < 0 ? 0 : write(up.fd, &one, sizeof(one));
		(void)written;	/* full: readable anyway */
	}
}

static void *run(void *unused)
{
	unsigned int nap_msec;

	pthread_mutex_lock(&up.lock);
	for (;;) {
		nap_msec = up.nap_msec;
		pthread_mutex_unlock(&up.lock);
		nap(nap_msec);
		pthread_mutex_lock(&up.lock);
		work();
		while (up.done >= up.goal)
			pthread_cond_wait(&up.is_further, &up.lock);
	}
	return unused;
}

/* Start the thread with all signals blocked.  Return false on failure. */
static bool start_thread(void)
{
	sigset_t all, before;
	pthread_t thread;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	status = pthread_create(&thread, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (status != 0)
		return false;
	pthread_detach(thread);
	return true;
}

void sw_bpf_begin(enum sw_bpf_part last, unsigned int nap_msec)
{
	pthread_mutex_lock(&up.lock);
	if (up.goal <= (int)last) {
		up.goal = (int)last + 1;
		up.nap_msec = nap_msec;
		if (up.fd < 0)
			up.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (!up.has_thread)
			up.has_thread = start_thread();
		if (up.has_thread)
			pthread_cond_broadcast(&up.is_further);
		else
			work();
	}
	pthread_mutex_unlock(&up.lock);
}

bool sw_bpf_is_done(enum sw_bpf_part part)
{
	bool is_done;

	pthread_mutex_lock(&up.lock);
	is_done = up.done > (int)part;
	pthread_mutex_unlock(&up.lock);
	return is_done;
}

bool sw_bpf_is_coming_up(void)
{
	bool is_coming_up;

	pthread_mutex_lock(&up.lock);
	is_coming_up = up.done < up.goal;
	pthread_mutex_unlock(&up.lock);
	return is_coming_up;
}

void sw_bpf_await(enum sw_bpf_part part)
{
	sw_bpf_begin(part, 0);
	pthread_mutex_lock(&up.lock);
	while (up.done <= (int)part)
		pthread_cond_wait(&up.is_further, &up.lock);
	pthread_mutex_unlock(&up.lock);
}

int sw_bpf_fd(void)
{
	return up.fd;
}

struct exec_bpf *sw_bpf_records(struct sw_error *error)
{
	if (!up.records)
		*error = up.error;
	return up.records;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crowd SECONDS THREADS MSEC [deadlock]: THREADS threads share one lock, and
 * each of them computes for MSEC ms at a time while it holds it; nothing is
 * done without it.  With "deadlock" two of them then take a second lock in the
 * wrong order, and nobody comes back before a watchdog exits after SECONDS.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "length.h"

enum { MOST = 64 };

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER,
				    PTHREAD_MUTEX_INITIALIZER };
static double end, hold;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void compute(double seconds)
{
	double until = now() + seconds;
	volatile unsigned long work = 1;
	int i;

	while (now() < until)
		for (i = 0; i < 20000; i++)
			work = work * 31 + 7;
}

static void *take_turns(void *unused)
{
	(void)unused;
	while (now() < end) {
		pthread_mutex_lock(&locks[0]);
		compute(hold);
		pthread_mutex_unlock(&locks[0]);
	}
	return NULL;
}

static void *take_both(void *first)
{
	size_t mine = (size_t)first;

	pthread_mutex_lock(&locks[mine]);
	compute(0.5);
	pthread_mutex_lock(&locks[1 - mine]);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[MOST];
	bool dead = argc > 4 && !strcmp(argv[4], "deadlock");
	size_t i, count = argc > 3 ? (size_t)atoi(argv[2]) : 0;

	if (count < 2 || count > MOST) {
		fprintf(stderr, "usage: crowd SECONDS THREADS MSEC "
				"[deadlock]\n");
		return EXIT_FAILURE;
	}
	end = now() + atof(argv[1]) * ward_length();
	hold = atof(argv[3]) / 1000;
	if (dead)
		alarm((unsigned)(atof(argv[1]) * ward_length()));
	for (i = 0; i < count; i++) {
		if (pthread_create(&threads[i], NULL,
				   dead && i < 2 ? take_both : take_turns,
				   (void *)(i & 1)))
			return EXIT_FAILURE;
	}
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

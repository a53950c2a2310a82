/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * team SECONDS SHARE...: a thread for each SHARE; in every round each computes
 * for SHARE milliseconds of CPU time, then all meet at a barrier, asleep.  The
 * largest share sets the pace: "team 20 10 10 40" wastes what the first two
 * wait for the third.  Prints "cpu=SECONDS rounds=N".
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "length.h"

enum { MOST = 64 };

static pthread_barrier_t barrier;
static atomic_int is_over;
static double end;

static double clock_now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void compute(double seconds)
{
	double until = clock_now(CLOCK_THREAD_CPUTIME_ID) + seconds;
	volatile unsigned long work = 1;
	int i;

	while (clock_now(CLOCK_THREAD_CPUTIME_ID) < until)
		for (i = 0; i < 20000; i++)
			work = work * 31 + 7;
}

static void *member(void *share)
{
	double seconds = atof(share) / 1000;

	for (;;) {
		compute(seconds);
		if (pthread_barrier_wait(&barrier) ==
		    PTHREAD_BARRIER_SERIAL_THREAD)
			is_over = clock_now(CLOCK_MONOTONIC) >= end;
		pthread_barrier_wait(&barrier);
		if (is_over)
			return NULL;
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[MOST];
	int i, count = argc - 2;

	if (count < 1 || count > MOST) {
		fprintf(stderr, "usage: team SECONDS SHARE...\n");
		return EXIT_FAILURE;
	}
	end = clock_now(CLOCK_MONOTONIC) + atof(argv[1]) * ward_length();
	if (pthread_barrier_init(&barrier, NULL, (unsigned)count))
		return EXIT_FAILURE;
	for (i = 0; i < count; i++) {
		if (pthread_create(&threads[i], NULL, member, argv[i + 2]))
			return EXIT_FAILURE;
	}
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("cpu=%.3f\n", clock_now(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}

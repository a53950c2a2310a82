/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phases THREADSxSECONDS...: one phase after another, each with THREADS
 * threads that compute for SECONDS of real time; 0x5 sleeps for 5 s, and
 * t0x5 in 100 timers of 50 ms.  An unbroken list of work whose shares are
 * known.  Prints "cpu=SECONDS", what all threads used.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "length.h"

enum { MOST_THREADS = 256, TICK_USEC = 50000 };

static double end;

static double clock_now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *compute(void *unused)
{
	volatile unsigned long work = 1;
	int i;

	(void)unused;
	while (clock_now(CLOCK_MONOTONIC) < end)
		for (i = 0; i < 20000; i++)
			work = work * 31 + 7;
	return NULL;
}

static void rest(double seconds, int is_in_ticks)
{
	if (!is_in_ticks)
		usleep((useconds_t)(seconds * 1e6));
	while (is_in_ticks && clock_now(CLOCK_MONOTONIC) < end)
		usleep(TICK_USEC);
}

static void run_phase(int threads)
{
	pthread_t others[MOST_THREADS];
	int i;

	for (i = 1; i < threads; i++) {
		if (pthread_create(&others[i], NULL, compute, NULL))
			exit(EXIT_FAILURE);
	}
	compute(NULL);
	for (i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
}

int main(int argc, char **argv)
{
	double seconds;
	int i, threads, ticks;

	for (i = 1; i < argc; i++) {
		ticks = argv[i][0] == 't';
		if (sscanf(argv[i] + ticks, "%dx%lf", &threads, &seconds) !=
			    2 ||
		    threads < 0 || threads > MOST_THREADS) {
			fprintf(stderr, "phases: %s: THREADSxSECONDS\n",
				argv[i]);
			return EXIT_FAILURE;
		}
		seconds *= ward_length();
		end = clock_now(CLOCK_MONOTONIC) + seconds;
		if (threads == 0)
			rest(seconds, ticks);
		else
			run_phase(threads);
	}
	printf("cpu=%.3f\n", clock_now(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}

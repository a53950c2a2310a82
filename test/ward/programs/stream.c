/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream SECONDS THREADS MIB: the triad of McCalpin's STREAM, a = b + 3 c, over
 * arrays of MIB MiB for each thread, far larger than the caches: memory
 * bandwidth sets its pace.  With small arrays the same work stays in cache.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "length.h"

enum { MOST = 64 };

static size_t length;
static double end;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *triad(void *unused)
{
	double *a = calloc(length, sizeof(*a));
	double *b = calloc(length, sizeof(*b));
	double *c = calloc(length, sizeof(*c));
	size_t i;

	(void)unused;
	if (!a || !b || !c)
		exit(EXIT_FAILURE);
	for (i = 0; i < length; i++)
		a[i] = b[i] = c[i] = (double)i;
	while (now() < end) {
		for (i = 0; i < length; i++)
			a[i] = b[i] + 3 * c[i];
		__asm__ volatile("" : : "r"(a) : "memory");
	}
	free(a);
	free(b);
	free(c);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[MOST];
	int i, count = argc > 3 ? atoi(argv[2]) : 0;

	if (count < 1 || count > MOST) {
		fprintf(stderr, "usage: stream SECONDS THREADS MIB\n");
		return EXIT_FAILURE;
	}
	length = ((size_t)atoi(argv[3]) << 20) / sizeof(double);
	end = now() + atof(argv[1]) * ward_length();
	for (i = 0; i < count; i++) {
		if (pthread_create(&threads[i], NULL, triad, NULL))
			return EXIT_FAILURE;
	}
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grow SECONDS MIB_PER_SECOND [START_MIB [MOST_MIB]]: a leak.  Computes all the
 * time, and touches so much more memory in each second that it never gives
 * back, up to MOST_MIB.  With 0 it holds what it started with.  Prints
 * "held=BYTES".
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "length.h"

enum { MIB = 1 << 20 };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static unsigned long held;

static void take(void)
{
	char *memory = mmap(NULL, MIB, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		perror("mmap");
		exit(EXIT_FAILURE);
	}
	memset(memory, (int)(held / MIB % 255 + 1), MIB);
	held += MIB;
}

int main(int argc, char **argv)
{
	double start = now(), seconds, rate, past;
	volatile unsigned long work = 1;
	int i, first, most;

	if (argc < 3) {
		fprintf(stderr, "usage: grow SECONDS MIB_PER_SECOND "
				"[START_MIB [MOST_MIB]]\n");
		return EXIT_FAILURE;
	}
	/* It comes as far in less time. */
	seconds = atof(argv[1]) * ward_length();
	rate = atof(argv[2]) / ward_length();
	first = argc > 3 ? atoi(argv[3]) : 0;
	most = argc > 4 ? atoi(argv[4]) : INT_MAX;
	for (i = 0; i < first; i++)
		take();
	while ((past = now() - start) < seconds) {
		while ((double)held < (first + rate * past) * MIB &&
		       held / MIB < (unsigned long)most)
			take();
		for (i = 0; i < 20000; i++)
			work = work * 31 + 7;
	}
	printf("held=%lu\n", held);
	return 0;
}

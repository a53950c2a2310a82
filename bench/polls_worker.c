/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Acts as a rank: computes, or passes a byte to a child and back, which takes
 * two switches each.  polls_worker compute|switch COUNT prints the CPU time of
 * each round in nanoseconds, both processes together.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS_OF_ONE = 1000000 };

static double used_nsec(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return ((double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec) *
		       1e9 +
	       ((double)usage.ru_utime.tv_usec +
		(double)usage.ru_stime.tv_usec) *
		       1e3;
}

static void compute(long count)
{
	volatile unsigned long work = 1;
	long i;

	for (i = 0; i < count * ROUNDS_OF_ONE; i++)
		work = work * 31 + 7;
}

static void answer(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1) {
		if (write(to, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static int pass(long count)
{
	int there[2], back[2];
	char byte = 0;
	pid_t child;
	long i;

	if (pipe(there) < 0 || pipe(back) < 0)
		return -1;
	child = fork();
	if (child < 0)
		return -1;
	if (child == 0) {
		close(there[1]);
		answer(there[0], back[1]);
	}
	for (i = 0; i < count; i++) {
		if (write(there[1], &byte, 1) != 1 ||
		    read(back[0], &byte, 1) != 1)
			return -1;
	}
	close(there[1]);
	return waitpid(child, NULL, 0) == child ? 0 : -1;
}

int main(int argc, char **argv)
{
	long count = argc == 3 ? atol(argv[2]) : 0;

	if (count <= 0)
		return 2;
	if (!strcmp(argv[1], "compute"))
		compute(count);
	else if (pass(count) < 0)
		return 1;
	printf("%.1f\n", (used_nsec(RUSAGE_SELF) + used_nsec(RUSAGE_CHILDREN)) /
				 (double)count);
	return 0;
}

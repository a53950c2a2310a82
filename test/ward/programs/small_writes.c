/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * small_writes FILE SECONDS BYTES [sync|buffered]: appends records of BYTES
 * bytes to FILE, each by one write(2); with "sync" each is waited for until it
 * is on the disk, with "buffered" they are collected first, as stdio does.
 * Prints "calls=N bytes=N".
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "length.h"

enum { LARGE = 1 << 20 };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	unsigned long calls = 0, bytes = 0;
	const char *how = argc > 4 ? argv[4] : "";
	size_t size = argc > 3 ? (size_t)atoi(argv[3]) : 0;
	bool is_sync = !strcmp(how, "sync");
	static char record[LARGE];
	volatile unsigned long work = 1;
	double end;
	int fd, i;

	if (size == 0 || size > LARGE) {
		fprintf(stderr, "usage: small_writes FILE SECONDS BYTES "
				"[sync|buffered]\n");
		return EXIT_FAILURE;
	}
	if (!strcmp(how, "buffered"))
		size = LARGE;
	fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
	end = now() + atof(argv[2]) * ward_length();
	while (now() < end) {
		if (write(fd, record, size) != (ssize_t)size ||
		    (is_sync && fdatasync(fd) < 0)) {
			perror(argv[1]);
			return EXIT_FAILURE;
		}
		calls++;
		bytes += size;
		if (bytes % (256UL << 20) < size && ftruncate(fd, 0) == 0)
			lseek(fd, 0, SEEK_SET);
		for (i = 0; size == LARGE && i < 1 << 24; i++)
			work = work * 31 + 7;
	}
	printf("calls=%lu bytes=%lu\n", calls, bytes);
	return 0;
}

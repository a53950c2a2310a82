/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files, or tries to, or writes one, repeatedly, and prints the CPU time
 * of each call in nanoseconds: opens_worker open|miss|write FOLDER COUNT.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 1000, NAMES = 8, WRITE_BYTES = 4096, FILE_BYTES = 1 << 20 };

static char bytes[WRITE_BYTES];

static double now_nsec(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int open_one(const char *folder, long i)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%ld", folder, i % FILES);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, bytes, sizeof(bytes)) < 0)
		return -1;
	return close(fd);
}

static int miss_one(const char *folder, long i)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/none/%ld", folder, i % NAMES);
	return open(path, O_RDONLY | O_CLOEXEC) < 0 ? 0 : -1;
}

static int write_one(const char *folder, long i)
{
	static int fd = -1;
	char path[512];

	if (fd < 0) {
		snprintf(path, sizeof(path), "%s/out", folder);
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	}
	return pwrite(fd, bytes, sizeof(bytes), i * WRITE_BYTES % FILE_BYTES) ==
			       sizeof(bytes)
		       ? 0
		       : -1;
}

static int prepare(const char *folder)
{
	char path[512];
	int i, fd;

	for (i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s/%d", folder, i);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0 || write(fd, "x", 1) != 1)
			return -1;
		close(fd);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int (*deed)(const char *folder, long i) = open_one;
	long i, count = argc > 3 ? atol(argv[3]) : 0;
	double begin;

	if (count <= 0 || prepare(argv[2]) < 0)
		return EXIT_FAILURE;
	if (!strcmp(argv[1], "miss"))
		deed = miss_one;
	else if (!strcmp(argv[1], "write"))
		deed = write_one;
	for (i = 0; i < FILES; i++)
		deed(argv[2], i);
	begin = now_nsec();
	for (i = 0; i < count; i++) {
		if (deed(argv[2], i) < 0)
			return EXIT_FAILURE;
	}
	printf("%.2f\n", (now_nsec() - begin) / (double)count);
	return EXIT_SUCCESS;
}

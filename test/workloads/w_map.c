/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_map FILE MIB SECONDS [--read]: maps MIB MiB of FILE, which is made where
 * it is smaller, reads a byte of each of its pages, and then for SECONDS one of
 * a page at random after another.  With --read nothing is mapped: the file
 * is read once, in order, by system calls, and SECONDS are slept.
 *
 * Truth: mapped_bytes; touches, of pages at random; resident_bytes, of these
 * pages at the end by mincore(2).
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

static const char *path;
static uint64_t mib;
static uint64_t for_usec;
static bool is_read;

static const struct truth_option positionals[] = {
	{ .name = "FILE", .help = "to be mapped",
	  .kind = TRUTH_STRING, .value = &path },
	{ .name = "MIB", .help = "how much of it",
	  .kind = TRUTH_U64, .value = &mib },
	{ .name = "SECONDS", .help = "for how long",
	  .kind = TRUTH_USEC, .value = &for_usec },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "read", .help = "read it once, and do not map it",
	  .kind = TRUTH_FLAG, .value = &is_read },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Uses a file by mapping it.",
	.positionals = positionals,
	.required_count = 3,
	.options = options,
};

static void fill(int fd)
{
	static char block[WORK_MIB];
	uint64_t state = 1, i;

	for (i = 0; i < mib; i++) {
		work_fill_random(block, sizeof(block), &state);
		if (truth_write(fd, block, sizeof(block)) < 0)
			truth_die("write");
	}
}

static int open_file(void)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0)
		truth_die(path);
	if ((uint64_t)status.st_size < mib * WORK_MIB)
		fill(fd);
	return fd;
}

static void read_once(int fd)
{
	static char block[WORK_MIB];

	if (lseek(fd, 0, SEEK_SET) < 0)
		truth_die("lseek");
	while (truth_read(fd, block, sizeof(block)) > 0)
		;
	work_sleep_usec(for_usec);
}

static uint64_t resident_bytes(char *memory, size_t size, size_t page)
{
	unsigned char *is_there = malloc(size / page);
	uint64_t bytes = 0;
	size_t i;

	if (!is_there || mincore(memory, size, is_there) < 0)
		truth_die("mincore");
	for (i = 0; i < size / page; i++)
		bytes += is_there[i] & 1 ? page : 0;
	free(is_there);
	return bytes;
}

static void touch_at_random(int fd)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t size = mib * WORK_MIB;
	char *memory = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	const volatile char *byte = memory;
	uint64_t state = 7, touches = 0, end_usec;
	size_t i;

	if (memory == MAP_FAILED)
		truth_die("mmap");
	for (i = 0; i < size; i += page)
		(void)byte[i];
	end_usec = work_clock_usec(CLOCK_MONOTONIC) + for_usec;
	for (; work_clock_usec(CLOCK_MONOTONIC) < end_usec; touches++)
		(void)byte[work_random(&state) % size];
	truth_add_u64("mapped_bytes", size);
	truth_add_u64("touches", touches);
	truth_add_u64("resident_bytes", resident_bytes(memory, size, page));
	munmap(memory, size);
}

int main(int argc, char **argv)
{
	int fd;

	(void)argc;
	truth_begin(argv, &spec);
	if (mib == 0) {
		errno = EINVAL;
		truth_die("MIB");
	}
	fd = open_file();
	if (is_read)
		read_once(fd);
	else
		touch_at_random(fd);
	close(fd);
	truth_end();
	return 0;
}

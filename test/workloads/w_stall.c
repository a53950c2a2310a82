/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_stall PATH SECONDS [--size-mib N]: waits on the device: for SECONDS, in
 * turn, reads a block of 4 KiB at a random place of a file past the page cache
 * and overwrites another one followed by fsync(2).  The file is made first, of
 * N MiB (16 by default): PATH itself, in place of what it was, or where PATH
 * is a directory a file in it that is gone at the end.
 *
 * Truth: read_bytes and read_calls, written_bytes, write_calls and
 * fsync_calls of the loop; created_bytes; io_usec, wall time within these
 * calls; loop_usec, wall time of the loop (the share waited is io_usec /
 * loop_usec); longest_usec, the longest of them; direct=1 where O_DIRECT
 * worked (tmpfs takes it since Linux 6.6, yet has no device to wait for), and
 * 0 where the file system has none and the page was dropped from the cache
 * before each read instead.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

struct tally {
	uint64_t reads;
	uint64_t writes;
	uint64_t fsyncs;
	uint64_t io_usec;
	uint64_t longest_usec;
};

static const char *path;
static uint64_t loop_usec;
static uint64_t size_mib = 16;
static uint64_t random_state = 0x9e3779b97f4a7c15u;
static struct tally tally;
static bool is_direct;

static const struct truth_option positionals[] = {
	{ .name = "PATH", .help = "file, made anew, or directory",
	  .kind = TRUTH_STRING, .value = &path },
	{ .name = "SECONDS", .help = "for how long",
	  .kind = TRUTH_USEC, .value = &loop_usec },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "size-mib", .help = "N: of the file, 16 by default",
	  .kind = TRUTH_U64, .value = &size_mib },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Spends its time waiting for a device.",
	.positionals = positionals,
	.required_count = 2,
	.options = options,
};

/* Returns whether PATH is a directory, and the file in it becomes PATH. */
static bool choose_file(void)
{
	static char own_path[PATH_MAX];
	struct stat status;
	int length;

	if (stat(path, &status) < 0 || !S_ISDIR(status.st_mode))
		return false;
	length = snprintf(own_path, sizeof(own_path), "%s/w_stall.%ld", path,
			  (long)getpid());
	if (length < 0 || (size_t)length >= sizeof(own_path)) {
		errno = ENAMETOOLONG;
		truth_die(path);
	}
	path = own_path;
	return true;
}

static void create_file(void *block)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		truth_die(path);
	for (uint64_t i = 0; i < size_mib; i++) {
		work_fill_random(block, WORK_MIB, &random_state);
		if (truth_write(fd, block, WORK_MIB) < 0)
			truth_die(path);
	}
	if (fsync(fd) < 0 || close(fd) < 0)
		truth_die(path);
}

/* A file system may also take O_DIRECT at open and refuse it at read. */
static int open_file(void *block)
{
	int fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC);
	ssize_t got;

	if (fd >= 0) {
		got = pread(fd, block, WORK_BLOCK_SIZE, 0);
		if (got == WORK_BLOCK_SIZE) {
			truth_count(WORK_BLOCK_SIZE, 0);
			is_direct = true;
			return fd;
		}
		close(fd);
	}
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		truth_die(path);
	return fd;
}

static off_t random_offset(void)
{
	uint64_t block_count = size_mib * WORK_MIB / WORK_BLOCK_SIZE;

	return (off_t)(work_random(&random_state) % block_count *
		       WORK_BLOCK_SIZE);
}

static void add_time(uint64_t begin_usec)
{
	uint64_t usec = work_clock_usec(CLOCK_MONOTONIC) - begin_usec;

	tally.io_usec += usec;
	if (usec > tally.longest_usec)
		tally.longest_usec = usec;
}

static void read_block(int fd, void *block)
{
	off_t offset = random_offset();
	uint64_t begin_usec;

	if (!is_direct)
		(void)posix_fadvise(fd, offset, WORK_BLOCK_SIZE,
				    POSIX_FADV_DONTNEED);
	begin_usec = work_clock_usec(CLOCK_MONOTONIC);
	if (pread(fd, block, WORK_BLOCK_SIZE, offset) != WORK_BLOCK_SIZE)
		truth_die("pread");
	add_time(begin_usec);
	tally.reads++;
}

static void write_block(int fd, void *block)
{
	uint64_t begin_usec;

	work_fill_random(block, WORK_BLOCK_SIZE, &random_state);
	begin_usec = work_clock_usec(CLOCK_MONOTONIC);
	if (pwrite(fd, block, WORK_BLOCK_SIZE, random_offset()) !=
	    WORK_BLOCK_SIZE)
		truth_die("pwrite");
	add_time(begin_usec);
	tally.writes++;
	begin_usec = work_clock_usec(CLOCK_MONOTONIC);
	if (fsync(fd) < 0)
		truth_die("fsync");
	add_time(begin_usec);
	tally.fsyncs++;
}

static void add_truth(uint64_t took_usec)
{
	truth_count(tally.reads * WORK_BLOCK_SIZE,
		    tally.writes * WORK_BLOCK_SIZE);
	truth_add_u64("read_bytes", tally.reads * WORK_BLOCK_SIZE);
	truth_add_u64("read_calls", tally.reads);
	truth_add_u64("written_bytes", tally.writes * WORK_BLOCK_SIZE);
	truth_add_u64("write_calls", tally.writes);
	truth_add_u64("fsync_calls", tally.fsyncs);
	truth_add_u64("created_bytes", size_mib * WORK_MIB);
	truth_add_u64("io_usec", tally.io_usec);
	truth_add_u64("loop_usec", took_usec);
	truth_add_u64("longest_usec", tally.longest_usec);
	truth_add_u64("direct", is_direct);
}

int main(int argc, char **argv)
{
	uint64_t begin_usec;
	bool is_temporary;
	void *block;
	int fd;

	(void)argc;
	truth_begin(argv, &spec);
	if (size_mib == 0) {
		errno = EINVAL;
		truth_die("--size-mib");
	}
	block = aligned_alloc(WORK_BLOCK_SIZE, WORK_MIB);
	if (block == NULL)
		truth_die("aligned_alloc");
	is_temporary = choose_file();
	create_file(block);
	fd = open_file(block);
	begin_usec = work_clock_usec(CLOCK_MONOTONIC);
	while (work_clock_usec(CLOCK_MONOTONIC) - begin_usec < loop_usec) {
		read_block(fd, block);
		write_block(fd, block);
	}
	add_truth(work_clock_usec(CLOCK_MONOTONIC) - begin_usec);
	close(fd);
	if (is_temporary && unlink(path) < 0)
		truth_die(path);
	free(block);
	truth_end();
	return 0;
}

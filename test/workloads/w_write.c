/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_write FILE MIB [--buffer N] [--fsync]: writes MIB MiB of bytes that do
 * not compress to FILE, in place of what it was, by write(2).
 *
 * Truth: written_bytes and write_calls, what write(2) took and how often it
 * was called; fsync_calls.  When a write fails (a full file system) the truth
 * of what was written until then is left, failed=1, and the exit status is 1.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

static const char *path;
static uint64_t mib;
static uint64_t buffer_size = WORK_MIB;
static bool has_fsync;

static const struct truth_option positionals[] = {
	{ .name = "FILE", .help = "what to write",
	  .kind = TRUTH_STRING, .value = &path },
	{ .name = "MIB", .help = "how much",
	  .kind = TRUTH_U64, .value = &mib },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "buffer", .help = "N: bytes per write(2), 1 MiB by default",
	  .kind = TRUTH_U64, .value = &buffer_size },
	{ .name = "fsync", .help = "at the end",
	  .kind = TRUTH_FLAG, .value = &has_fsync },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Writes a known number of bytes.",
	.positionals = positionals,
	.required_count = 2,
	.options = options,
};

/* Not truth_write(): a partial write is a call of its own. */
static int write_all(int fd, void *buffer)
{
	uint64_t state = 0x9e3779b97f4a7c15u;
	uint64_t left = mib * WORK_MIB;
	uint64_t call_count = 0;
	ssize_t put = 0;

	while (left > 0 && put >= 0) {
		size_t size = left < buffer_size ? left : buffer_size;

		work_fill_random(buffer, size, &state);
		put = write(fd, buffer, size);
		call_count++;
		if (put > 0)
			left -= (uint64_t)put;
	}
	truth_count(0, mib * WORK_MIB - left);
	truth_add_u64("written_bytes", mib * WORK_MIB - left);
	truth_add_u64("write_calls", call_count);
	return put < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	uint64_t fsync_count = 0;
	bool has_failed = false;
	void *buffer;
	int fd;

	(void)argc;
	truth_begin(argv, &spec);
	if (buffer_size == 0 || buffer_size > SSIZE_MAX / 2) {
		errno = EINVAL;
		truth_die("--buffer");
	}
	buffer = malloc(buffer_size);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || buffer == NULL)
		truth_die(path);
	has_failed = write_all(fd, buffer) < 0;
	if (has_fsync && !has_failed) {
		fsync_count++;
		has_failed = fsync(fd) < 0;
	}
	if (has_failed)
		perror(path);
	has_failed = close(fd) < 0 || has_failed;
	free(buffer);
	truth_add_u64("fsync_calls", fsync_count);
	truth_add_u64("failed", has_failed);
	truth_end();
	return has_failed ? 1 : 0;
}

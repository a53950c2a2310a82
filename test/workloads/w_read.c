/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_read FILE TIMES [--buffer N] [--drop-cache] [--create MIB]: reads FILE
 * from beginning to end TIMES times by read(2).  --create makes FILE first,
 * of bytes that do not compress, in place of what it was; --drop-cache asks
 * the kernel to forget its pages before each pass.
 *
 * Truth: read_bytes and read_calls, what read(2) returned for FILE and how
 * often it was called (the calls that met the end of the file included);
 * file_bytes; created_bytes; cold_bytes, how much of FILE was not in the page
 * cache as each pass began, summed over the passes (missing where the kernel
 * does not say).  A page that readahead brought counts as cold: it came from
 * the device.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

static const char *path;
static uint64_t times;
static uint64_t buffer_size = WORK_MIB;
static uint64_t create_mib;
static bool has_drop_cache;

static uint64_t read_bytes;
static uint64_t read_calls;

static const struct truth_option positionals[] = {
	{ .name = "FILE", .help = "what to read",
	  .kind = TRUTH_STRING, .value = &path },
	{ .name = "TIMES", .help = "how often",
	  .kind = TRUTH_U64, .value = &times },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "buffer", .help = "N: bytes per read(2), 1 MiB by default",
	  .kind = TRUTH_U64, .value = &buffer_size },
	{ .name = "drop-cache", .help = "before each pass",
	  .kind = TRUTH_FLAG, .value = &has_drop_cache },
	{ .name = "create", .help = "MIB: make FILE first, so large",
	  .kind = TRUTH_U64, .value = &create_mib },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Reads a known number of bytes.",
	.positionals = positionals,
	.required_count = 2,
	.options = options,
};

static void create_file(void *block)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	uint64_t state = 0x9e3779b97f4a7c15u;

	if (fd < 0)
		truth_die(path);
	for (uint64_t i = 0; i < create_mib; i++) {
		work_fill_random(block, WORK_MIB, &state);
		if (truth_write(fd, block, WORK_MIB) < 0)
			truth_die(path);
	}
	if (close(fd) < 0)
		truth_die(path);
}

/* Dirty pages stay where they are, so they have to be written first. */
static void drop_cache(int fd)
{
	if (fdatasync(fd) < 0)
		truth_die("fdatasync");
	errno = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (errno != 0)
		truth_die("posix_fadvise");
}

static int find_cold_bytes(int fd, size_t size, uint64_t *cold_bytes)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	size_t page_count = (size + page_size - 1) / page_size;
	unsigned char *pages = calloc(page_count + 1, 1);
	void *memory = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	int result = -1;

	if (pages == NULL || memory == MAP_FAILED ||
	    mincore(memory, size, pages) < 0)
		goto out;
	for (size_t i = 0; i < page_count; i++) {
		size_t left = size - i * page_size;

		if ((pages[i] & 1) == 0)
			*cold_bytes += left < page_size ? left : page_size;
	}
	result = 0;
out:
	if (memory != MAP_FAILED)
		munmap(memory, size);
	free(pages);
	return result;
}

static void read_once(int fd, void *buffer)
{
	ssize_t got;

	if (lseek(fd, 0, SEEK_SET) < 0)
		truth_die("lseek");
	do {
		got = truth_read(fd, buffer, buffer_size);
		if (got < 0)
			truth_die("read");
		read_bytes += (uint64_t)got;
		read_calls++;
	} while (got > 0);
}

static void read_all(void *buffer)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t cold_bytes = 0;
	bool is_cold_known = true;
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0)
		truth_die(path);
	for (uint64_t i = 0; i < times; i++) {
		if (has_drop_cache)
			drop_cache(fd);
		if (status.st_size > 0 &&
		    find_cold_bytes(fd, (size_t)status.st_size,
				    &cold_bytes) < 0)
			is_cold_known = false;
		read_once(fd, buffer);
	}
	close(fd);
	truth_add_u64("file_bytes", (uint64_t)status.st_size);
	if (is_cold_known)
		truth_add_u64("cold_bytes", cold_bytes);
	else
		truth_add_text("cold_bytes", "missing");
}

int main(int argc, char **argv)
{
	void *buffer;

	(void)argc;
	truth_begin(argv, &spec);
	if (buffer_size == 0 || buffer_size > SSIZE_MAX / 2) {
		errno = EINVAL;
		truth_die("--buffer");
	}
	buffer = malloc(buffer_size > WORK_MIB ? buffer_size : WORK_MIB);
	if (buffer == NULL)
		truth_die("malloc");
	if (create_mib > 0)
		create_file(buffer);
	read_all(buffer);
	free(buffer);
	truth_add_u64("read_bytes", read_bytes);
	truth_add_u64("read_calls", read_calls);
	truth_add_u64("created_bytes", create_mib * WORK_MIB);
	truth_end();
	return 0;
}

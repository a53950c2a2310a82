/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open a profile: read the file, or a .part and its tail, completely into
 * memory, so that nobody can change or truncate them during parsing.
 */
#include "profiles/reader_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/open_file.h"
#include "common/path.h"
#include "common/text.h"
#include "common/whole.h"

#define PART ".part"
#define TAIL ".tail"

enum {
	SUFFIX_LENGTH = sizeof(PART) - 1,
	EXTENTS_MAX = 1024, HOLES_MAX = 16 << 20,
};

/* An open file and its path for messages. */
struct input {
	int dirfd;
	const char *name;	/* last component, below dirfd */
	bool follows_links;
	int fd;
	bool is_part;
	char path[PATH_MAX];
};

static int open_path(const struct input *input)
{
	return sw_open_file(input->dirfd, input->name, input->follows_links);
}

/* Open the file itself, otherwise its .part. */
static int open_input(struct input *input, const char *path)
{
	int length = snprintf(input->path, sizeof(input->path), "%s", path);

	if (length < 0 ||
	    (size_t)length >= sizeof(input->path) - SUFFIX_LENGTH) {
		errno = ENAMETOOLONG;
		return -1;
	}
	input->name = input->path;
	if (input->dirfd != AT_FDCWD)
		input->name = sw_path_name(input->path);
	input->is_part = sw_has_suffix(path, PART);
	input->fd = open_path(input);
	if (input->fd >= 0 || errno != ENOENT || input->is_part)
		return input->fd;
	strcat(input->path, PART);
	input->is_part = true;
	input->fd = open_path(input);
	if (input->fd < 0)
		input->path[length] = '\0';
	return input->fd;
}

/*
 * Does the file have more holes than a node crash could have left?  Holes cost
 * nothing on disk, and their full size in memory.
 */
static bool is_sparse(int fd, off_t size)
{
	off_t data = 0, hole, holes = 0;
	int i;

	for (i = 0; i < EXTENTS_MAX && data < size; i++) {
		hole = lseek(fd, data, SEEK_HOLE);
		if (hole < 0 || hole >= size)
			return false;
		data = lseek(fd, hole, SEEK_DATA);
		if (data < 0)
			data = size;
		holes += data - hole;
		if (holes > HOLES_MAX)
			return true;
	}
	return i == EXTENTS_MAX;
}

static bool is_foreign(const struct stat *status)
{
	return status->st_uid != geteuid() && status->st_uid != 0;
}

/* Without the magic, only the first bytes of a foreign file are read. */
static bool lacks_magic(int fd)
{
	uint8_t bytes[sizeof(uint32_t)];

	return sw_read_whole(fd, bytes, sizeof(bytes), 0) !=
		       (ssize_t)sizeof(bytes) ||
	       (sw_get_u32(bytes) != SW_FRAME_MAGIC &&
		sw_get_u32(bytes) != SW_TAIL_MAGIC);
}

/* Read the whole file, at most max bytes; -1 with errno. */
static int read_all(int fd, size_t max, struct sw_bytes *bytes,
		    uint64_t *owner)
{
	struct stat status;
	uint8_t *buffer;
	size_t size;
	ssize_t got;

	if (fstat(fd, &status) < 0)
		return -1;
	errno = S_ISDIR(status.st_mode) ? EISDIR :
		S_ISREG(status.st_mode) ? EFBIG : EINVAL;
	if (!S_ISREG(status.st_mode) || (uint64_t)status.st_size > max)
		return -1;
	if (is_sparse(fd, status.st_size)) {
		errno = ENODATA;
		return -1;
	}
	if (is_foreign(&status) && lacks_magic(fd)) {
		errno = EILSEQ;
		return -1;
	}
	*owner = status.st_uid;
	size = (size_t)status.st_size;
	buffer = malloc(size ? size : 1);
	if (!buffer)
		return -1;
	got = sw_read_whole(fd, buffer, size, 0);
	if (got < 0) {
		int saved = errno;

		free(buffer);
		errno = saved;
		return -1;
	}
	bytes->at = buffer;
	bytes->size = (size_t)got;
	return 0;
}

static void free_bytes(struct sw_bytes *bytes)
{
	free((void *)(uintptr_t)bytes->at);
}

/* Treat a tail that cannot be read as absent. */
static void read_tail(const struct input *input, struct sw_bytes *bytes,
		      uint64_t *owner)
{
	struct input tail = { .dirfd = input->dirfd, .name = tail.path };
	int fd;

	strcpy(tail.path, input->name);
	strcpy(tail.path + strlen(tail.path) - SUFFIX_LENGTH, TAIL);
	fd = open_path(&tail);
	if (fd < 0)
		return;
	read_all(fd, SW_READER_TAIL_MAX, bytes, owner);
	close(fd);
}

static void explain(struct sw_error *error, const char *path, size_t max)
{
	if (errno == EINVAL)
		sw_error_set(error, "%s: is not a regular file", path);
	else if (errno == EISDIR)
		sw_error_set(error, "%s: is a folder, not a profile", path);
	else if (errno == EILSEQ)
		sw_error_set(error, "%s: is not a stepwell profile", path);
	else if (errno == ENODATA)
		sw_error_set(error, "%s: most of it is holes, so it was not "
			     "read", path);
	else if (errno == EFBIG && max < SW_READER_FILE_MAX)
		sw_error_set(error, "%s: is larger than %zu MiB", path,
			     max >> 20);
	else if (errno == EFBIG)
		sw_error_set(error, "%s: is larger than 2 GiB", path);
	else
		sw_error_errno(error, "%s: cannot be read", path);
	if (errno == EILSEQ)
		errno = EINVAL;
	if (errno == ENODATA)
		errno = EFBIG;
}

/*
 * Probe the writer's lock; it is held only for a moment.  A copy may be locked,
 * too, by the process that copies a recording in progress.
 */
static enum sw_reader_writer find_writer(const struct input *input)
{
	bool is_free = flock(input->fd, LOCK_SH | LOCK_NB) == 0;

	if (is_free)
		flock(input->fd, LOCK_UN);
	else if (errno == EWOULDBLOCK)
		return SW_WRITER_ALIVE;
	if (!input->is_part)
		return SW_WRITER_DONE;
	return is_free ? SW_WRITER_GONE : SW_WRITER_UNKNOWN;
}

/* Return the size limit: the requested one, less for another user's file. */
static size_t bytes_max(const struct input *input,
			const struct sw_reader_want *want)
{
	size_t max = want->file_max_bytes ? want->file_max_bytes :
					    SW_READER_FILE_MAX;
	struct stat status;

	if (want->foreign_max_bytes && want->foreign_max_bytes < max &&
	    fstat(input->fd, &status) == 0 && is_foreign(&status))
		return want->foreign_max_bytes;
	return max;
}

static struct sw_reader *read_input(const struct input *input,
				    const struct sw_reader_want *want,
				    struct sw_error *error)
{
	size_t max = bytes_max(input, want);
	struct sw_reader_origin origin = { .owner = SW_MISSING };
	struct sw_bytes file = { 0 }, tail = { 0 };
	uint64_t tail_owner = SW_MISSING;
	struct sw_reader *reader = NULL;
	struct sw_error why = { "" };

	/*
	 * Read the tail first: a block that closes in between is then seen
	 * twice and taken once; in the other order it would be missed.
	 */
	if (input->is_part)
		read_tail(input, &tail, &tail_owner);
	if (read_all(input->fd, max, &file, &origin.owner) < 0) {
		explain(error, input->path, max);
	} else {
		/* Ignore a tail of another owner. */
		if (tail_owner != origin.owner)
			tail.size = 0;
		if (want->has_digest)
			sw_digest_bytes(file.at, file.size, origin.digest);
		reader = sw_reader_parse(file, tail, want, &why);
		if (!reader)
			sw_error_set(error, "%s: %s", input->path, why.text);
	}
	if (reader) {
		reader->origin = origin;
		reader->health.writer =
			reader->health.is_finished ? SW_WRITER_DONE :
						     find_writer(input);
	}
	free_bytes(&file);
	free_bytes(&tail);
	return reader;
}

struct sw_reader *sw_reader_open(const char *path, struct sw_error *error)
{
	return sw_reader_open_in(AT_FDCWD, path, true, NULL, error);
}

struct sw_reader *sw_reader_open_in(int dirfd, const char *path,
				    bool follows_links,
				    const struct sw_reader_want *want,
				    struct sw_error *error)
{
	static const struct sw_reader_want all;
	struct input input = {
		.dirfd = dirfd, .follows_links = follows_links,
	};
	struct sw_reader *reader;
	int saved;

	if (open_input(&input, path) < 0) {
		sw_error_errno(error, "%.*s", PATH_MAX, path);
		return NULL;
	}
	reader = read_input(&input, want ? want : &all, error);
	saved = errno;
	close(input.fd);
	errno = saved;
	return reader;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tail is a file that its writer maps: its mtime does not show changes, and a
 * row may be half written.  Each row has a checksum, which readers check.
 */
#include "analyzer/sweep/gather/copy_tail.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/sweep/gather/copy_bytes.h"
#include "analyzer/sweep/gather/put_file.h"
#include "common/open_file.h"
#include "common/text.h"
#include "profiles/bits.h"
#include "profiles/layout.h"

#define PART ".part"
#define TAIL ".tail"

enum { MODE = 0640, NAME_SIZE = NAME_MAX + 16 };

static void tail_name(char name[NAME_SIZE], const char *file)
{
	int length = (int)strlen(file);

	if (sw_has_suffix(file, PART))
		length -= (int)strlen(PART);
	snprintf(name, NAME_SIZE, "%.*s" TAIL, length, file);
}

/* Find the size of the head and the rows of the open block; 0 without rows. */
static int used_bytes(int fd, off_t size, off_t *used)
{
	uint8_t head[SW_TAIL_HEAD_SIZE];
	uint64_t rows;

	*used = 0;
	if (size <= SW_TAIL_HEAD_SIZE)
		return 0;
	if (pread(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head))
		return -1;
	rows = sw_get_u64(head + SW_TAIL_AT_USED);
	if (rows && rows <= (uint64_t)size - SW_TAIL_HEAD_SIZE)
		*used = SW_TAIL_HEAD_SIZE + (off_t)rows;
	return 0;
}

struct part {
	int from;
	off_t bytes;
};

static int fill(int into, const void *context)
{
	const struct part *part = context;

	return sw_copy_bytes(part->from, into, part->bytes) < 0
		       ? -1
		       : fchmod(into, MODE);
}

static int copy_open(int from, int into, const char *name, off_t size)
{
	struct part part = { .from = from };

	if (used_bytes(from, size, &part.bytes) < 0)
		return -1;
	if (!part.bytes)
		return 0;
	return sw_put_file(into, name, SW_OWN_TAIL, fill, &part) < 0 ? -1 : 1;
}

int sw_copy_tail(int from, int into, const char *part, uid_t owner)
{
	char name[NAME_SIZE];
	struct stat status;
	int fd, rc, saved;

	tail_name(name, part);
	fd = sw_open_file(from, name, false);
	/* The writer had no space for it, or has finished the file. */
	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	rc = fstat(fd, &status);
	if (rc == 0 && (!S_ISREG(status.st_mode) ||
			(status.st_uid != owner && status.st_uid != 0))) {
		errno = EPERM;
		rc = -1;
	}
	if (rc == 0)
		rc = copy_open(fd, into, name, status.st_size);
	saved = errno;
	close(fd);
	errno = saved;
	return rc;
}

void sw_drop_tail(int into, const char *file)
{
	char name[NAME_SIZE];

	tail_name(name, file);
	sw_drop_file(into, name, SW_OWN_TAIL);
}

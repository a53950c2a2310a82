/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copy bytes from one file to another. */
#include "analyzer/sweep/gather/copy_bytes.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/whole.h"

enum { COPY_BYTES = 256 * 1024 };

static int copy_piece(int from, int into, char *buf, size_t size, off_t offset)
{
	ssize_t got = sw_read_whole(from, buf, size, (uint64_t)offset);

	if (got < 0)
		return -1;
	if ((size_t)got < size) {
		errno = ESTALE;
		return -1;
	}
	return sw_write_whole(into, buf, size, (uint64_t)offset);
}

int sw_copy_bytes(int from, int into, off_t size)
{
	char *buf = malloc(COPY_BYTES);
	off_t done, piece;
	int rc = buf ? 0 : -1;

	for (done = 0; rc == 0 && done < size; done += piece) {
		piece = size - done < COPY_BYTES ? size - done : COPY_BYTES;
		rc = copy_piece(from, into, buf, (size_t)piece, done);
	}
	free(buf);
	return rc;
}

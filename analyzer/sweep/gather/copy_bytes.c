/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes from one file to another. */
#include "analyzer/sweep/gather/copy_bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { COPY_BYTES = 256 * 1024 };

static int write_all(int fd, const char *bytes, size_t size)
{
	ssize_t done;

	while (size) {
		done = write(fd, bytes, size);
		if (done < 0 && errno != EINTR)
			return -1;
		if (done > 0) {
			bytes += done;
			size -= (size_t)done;
		}
	}
	return 0;
}

int sw_copy_bytes(int from, int into, off_t left)
{
	char *buf = malloc(COPY_BYTES);
	ssize_t got = 1;

	while (buf && left > 0) {
		got = read(from, buf,
			   left < COPY_BYTES ? (size_t)left : COPY_BYTES);
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = ESTALE;
		if (got <= 0 || write_all(into, buf, (size_t)got) < 0)
			break;
		left -= got;
	}
	free(buf);
	return buf && left <= 0 ? 0 : -1;
}

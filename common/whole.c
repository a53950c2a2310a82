/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read and write completely at an offset. */
#include "common/whole.h"

#include <errno.h>
#include <unistd.h>

int sw_write_whole(int fd, const void *bytes, size_t size, uint64_t offset)
{
	const char *from = bytes;
	size_t written = 0;

	while (written < size) {
		ssize_t done = pwrite(fd, from + written, size - written,
				      (off_t)(offset + written));

		if (done < 0 && errno == EINTR)
			continue;
		if (done == 0)
			errno = ENOSPC;
		if (done <= 0)
			return -1;
		written += (size_t)done;
	}
	return 0;
}

ssize_t sw_read_whole(int fd, void *buffer, size_t size, uint64_t offset)
{
	char *to = buffer;
	size_t got = 0;

	while (got < size) {
		ssize_t done =
			pread(fd, to + got, size - got, (off_t)(offset + got));

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		if (done == 0)
			break;
		got += (size_t)done;
	}
	return (ssize_t)got;
}

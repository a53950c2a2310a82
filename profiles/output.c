/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of a writer.  A frame that cannot be written completely is truncated
 * away, so that the file always ends with a good one; nothing is retried here.
 */
#include "profiles/output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/whole.h"

/* Remove a file that no writer holds; a missing file is no error. */
static int remove_idle(int dirfd, const char *name)
{
	int fd = openat(dirfd, name,
			O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	int status;

	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	status = flock(fd, LOCK_EX | LOCK_NB);
	if (status < 0 && errno == EWOULDBLOCK)
		errno = EBUSY;
	else
		status = unlinkat(dirfd, name, 0);
	if (status < 0) {
		int saved = errno;

		close(fd);
		errno = saved;
		return -1;
	}
	close(fd);
	return 0;
}

int sw_output_open(struct sw_output *output, int dirfd, const char *name,
		   bool is_replacing)
{
	if (is_replacing && remove_idle(dirfd, name) < 0)
		return -1;
	output->fd = openat(dirfd, name,
			    O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			    0600);
	if (output->fd < 0)
		return -1;
	/*
	 * No other process can hold it yet; file systems without locks are
	 * fine.
	 */
	flock(output->fd, LOCK_EX | LOCK_NB);
	return 0;
}

void sw_output_close(struct sw_output *output)
{
	if (output->fd >= 0)
		close(output->fd);
	output->fd = -1;
}

/* Growing beyond the limit would raise SIGXFSZ, which kills the process. */
static bool is_over_limit(uint64_t end_bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       limit.rlim_cur < end_bytes;
}

static int write_within_limit(int fd, const uint8_t *bytes, size_t size,
			      uint64_t offset)
{
	if (is_over_limit(offset + size)) {
		errno = EFBIG;
		return -1;
	}
	return sw_write_whole(fd, bytes, size, offset);
}

/* Best effort: the next frame overwrites whatever remains. */
static void take_back(const struct sw_output *output)
{
	int saved = errno;
	int status;

	do {
		status = ftruncate(output->fd, (off_t)output->end_bytes);
	} while (status < 0 && errno == EINTR);
	errno = saved;
}

int sw_output_append(struct sw_output *output, enum sw_frame_type type,
		     const struct sw_payload *payload)
{
	uint8_t *head = payload->frame;
	const uint8_t *body = head + SW_FRAME_HEAD_SIZE;
	uint64_t id = type == SW_FRAME_HEADER ? 0 : output->id;
	size_t size = SW_FRAME_HEAD_SIZE + payload->size_bytes;

	sw_put_u32(head, SW_FRAME_MAGIC);
	sw_put_u16(head + 4, (uint16_t)type);
	sw_put_u16(head + 6, payload->flags);
	sw_put_u32(head + 8, (uint32_t)payload->size_bytes);
	sw_put_u32(head + 12, output->sequence);
	sw_put_u64(head + 16,
		   sw_layout_checksum(id, head, SW_FRAME_CHECKED_SIZE, body,
				      payload->size_bytes));
	if (write_within_limit(output->fd, head, size, output->end_bytes) < 0) {
		take_back(output);
		return -1;
	}
	output->sequence++;
	output->end_bytes += size;
	output->frame_count++;
	return 0;
}

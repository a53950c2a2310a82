/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages over a Unix socket that may carry one open descriptor. */
#include "common/pass_fd.h"

#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

ssize_t sw_send_with_fd(int socket_fd, const void *bytes, size_t length,
			int passed_fd)
{
	union control control = { .room = { 0 } };
	struct iovec vector = { (void *)(uintptr_t)bytes, length };
	struct msghdr whole = { .msg_iov = &vector, .msg_iovlen = 1 };

	if (passed_fd >= 0) {
		whole.msg_control = &control;
		whole.msg_controllen = sizeof(control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &passed_fd, sizeof(int));
	}
	return sendmsg(socket_fd, &whole, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t sw_receive_with_fd(int socket_fd, void *bytes, size_t size,
			   int *passed_fd, int *flags)
{
	union control control = { .room = { 0 } };
	struct iovec vector = { bytes, size };
	struct msghdr whole = {
		.msg_iov = &vector, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	ssize_t length = recvmsg(socket_fd, &whole,
				 MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	const struct cmsghdr *header = CMSG_FIRSTHDR(&whole);

	*passed_fd = -1;
	*flags = whole.msg_flags;
	if (length >= 0 && header && header->cmsg_level == SOL_SOCKET &&
	    header->cmsg_type == SCM_RIGHTS &&
	    header->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(passed_fd, CMSG_DATA(header), sizeof(int));
	return length;
}

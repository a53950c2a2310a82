/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends one message to the node's recorder.  Fails at once if it is busy. */
#include "spank/send_message.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/pass_fd.h"
#include "spank/file.h"

static int open_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(path);
	int fd;

	if (length >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address.sun_path, path, length + 1);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	if (connect(fd, (const struct sockaddr *)&address,
		    sizeof(address)) < 0) {
		int saved = errno;

		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}

/*
 * Return the listener if it is root's, 0 if not, -1 if in another namespace.
 * Another user's answer does no harm, but do not wait for it.
 */
static pid_t root_listener(int fd)
{
	struct ucred peer;
	socklen_t length = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0 ||
	    peer.uid != 0)
		return 0;
	return peer.pid > 0 ? peer.pid : -1;
}

static int await_answer(int fd, uint64_t *wait_usec)
{
	uint64_t until = sw_clock_boottime_usec() + *wait_usec, now;
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	struct sw_message_header answer;
	ssize_t length = -1;
	bool is_unread = false;

	for (;;) {
		now = sw_clock_boottime_usec();
		if (now >= until)
			break;
		if (poll(&poll_fd, 1, (int)((until - now + 999) / 1000)) > 0) {
			length = recv(fd, &answer, sizeof(answer),
				      MSG_DONTWAIT);
			/* The recorder died with the message in its queue. */
			is_unread = length < 0 && errno == ECONNRESET;
			break;
		}
	}
	now = sw_clock_boottime_usec();
	*wait_usec = length < 0 || now >= until ? 0 : until - now;
	if (length == (ssize_t)sizeof(answer) &&
	    sw_message_check(&answer, (size_t)length) &&
	    answer.type == SW_MESSAGE_ANSWER)
		return (int)answer.status;
	errno = is_unread ? ECONNRESET : length < 0 ? ETIMEDOUT : EPROTO;
	return -1;
}

int sw_send_message(const char *socket_path,
		    const struct sw_message_header *message, int descriptor,
		    uint64_t *wait_usec)
{
	int fd = open_socket(socket_path), status = -1, saved;

	if (fd < 0)
		return -1;
	if (!root_listener(fd))
		errno = EPERM;
	else if (sw_send_with_fd(fd, message, message->length, descriptor) ==
		 (ssize_t)message->length)
		status = *wait_usec ? await_answer(fd, wait_usec) : 0;
	saved = errno;
	close(fd);
	errno = saved;
	return status;
}

bool sw_is_served(const char *socket_path)
{
	int fd = open_socket(socket_path);
	pid_t pid;

	/* The queue of the listening process is full. */
	if (fd < 0)
		return errno == EAGAIN;
	pid = root_listener(fd);
	close(fd);
	return pid < 0 || (pid > 0 && sw_file_is_alive((uint32_t)pid));
}

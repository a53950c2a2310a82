/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The socket of the node's recorder. */
#include "recorder/daemon/node_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/kernel/process.h"

enum { BACKLOG = 1024, SYSTEMD_FIRST_FD = 3 };

/* The plugin sends immediately after connecting. */
#define SILENCE_USEC (2 * SW_USEC_PER_SEC)

int sw_node_passed_socket(void)
{
	const char *pid = getenv("LISTEN_PID");
	const char *count = getenv("LISTEN_FDS");

	if (!pid || !count || strtol(pid, NULL, 10) != getpid() ||
	    strcmp(count, "1") != 0)
		return -1;
	return SYSTEMD_FIRST_FD;
}

static int put_path(struct sockaddr_un *address, const char *path)
{
	size_t length = strlen(path);

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (length >= sizeof(address->sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address->sun_path, path, length + 1);
	return 0;
}

/* Return whether the process was killed, is exiting, or is a zombie. */
static bool is_dying(pid_t pid)
{
	int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum sw_read_status status;
	struct sw_process process;

	if (proc_fd < 0)
		return false;
	status = sw_process_read(&process, proc_fd, pid);
	close(proc_fd);
	if (status == SW_READ_OK)
		return process.is_dying;
	return status == SW_READ_GONE || status == SW_READ_ABSENT;
}

/* Return whether the listener belongs to this user and keeps running. */
static bool has_live_listener(int fd)
{
	struct ucred peer = { .pid = 0 };
	socklen_t length = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0)
		return true;
	/* A process in another pid namespace has no pid here. */
	return peer.uid == geteuid() && (peer.pid <= 0 || !is_dying(peer.pid));
}

bool sw_node_is_served(const char *path)
{
	struct sockaddr_un address;
	bool is_served = false;
	int fd;

	if (put_path(&address, path) < 0)
		return false;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return false;
	if (connect(fd, (const struct sockaddr *)&address,
		    sizeof(address)) == 0)
		/* A killed recorder listens until its exit is complete. */
		is_served = has_live_listener(fd);
	else
		/* A full queue belongs to a listening process. */
		is_served = errno == EAGAIN;
	close(fd);
	return is_served;
}

static int bind_path(int fd, const char *path)
{
	struct sockaddr_un address;
	mode_t mask;
	int rc;

	if (put_path(&address, path) < 0)
		return -1;
	/* The unit was enabled meanwhile: its recorder serves this node. */
	if (sw_node_is_served(path)) {
		errno = EADDRINUSE;
		return -1;
	}
	/* Left by an earlier recorder */
	unlink(path);
	mask = umask(0177);
	rc = bind(fd, (const struct sockaddr *)&address, sizeof(address));
	umask(mask);
	return rc;
}

int sw_node_socket_open(struct sw_node_socket *node, const char *path,
			int passed_fd, struct sw_error *error)
{
	struct stat status;
	size_t i;

	for (i = 0; i < SW_NODE_PEERS_MAX; i++)
		node->peer[i].fd = -1;
	node->is_passed = passed_fd >= 0;
	if (node->is_passed) {
		node->fd = passed_fd;
		if (fcntl(node->fd, F_SETFL, O_NONBLOCK) < 0 ||
		    fcntl(node->fd, F_SETFD, FD_CLOEXEC) < 0)
			return sw_error_errno(error, "systemd's socket");
		return 0;
	}
	node->fd = socket(AF_UNIX,
			  SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (node->fd < 0 || bind_path(node->fd, path) < 0 ||
	    listen(node->fd, BACKLOG) < 0 || stat(path, &status) < 0)
		return sw_error_errno(error, "%s", path);
	node->path_dev = status.st_dev;
	node->path_ino = status.st_ino;
	return 0;
}

size_t sw_node_socket_poll(const struct sw_node_socket *node,
			   struct pollfd *polled, size_t room)
{
	size_t count = 0, i;

	polled[count++] = (struct pollfd){ .fd = node->fd, .events = POLLIN };
	for (i = 0; i < SW_NODE_PEERS_MAX && count < room; i++) {
		if (node->peer[i].fd >= 0 && !node->peer[i].is_heard)
			polled[count++] = (struct pollfd){
				.fd = node->peer[i].fd, .events = POLLIN };
	}
	return count;
}

static void drop(struct sw_node_peer *peer)
{
	close(peer->fd);
	peer->fd = -1;
}

static bool is_trusted(int fd, pid_t *pid)
{
	struct ucred peer = { .pid = 0 };
	socklen_t length = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0 ||
	    peer.uid != geteuid())
		return false;
	*pid = peer.pid;
	return true;
}

static struct sw_node_peer *free_peer(struct sw_node_socket *node)
{
	size_t i;

	for (i = 0; i < SW_NODE_PEERS_MAX; i++) {
		if (node->peer[i].fd < 0)
			return &node->peer[i];
	}
	return NULL;	/* they wait in the kernel's queue */
}

static void accept_all(struct sw_node_socket *node)
{
	struct sw_node_peer *peer;
	int fd;

	/* With systemd's socket, they wait for the next recorder. */
	if (node->is_refusing && node->is_passed)
		return;
	while ((peer = free_peer(node))) {
		fd = accept4(node->fd, NULL, NULL,
			     SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (fd < 0)
			return;
		if (!is_trusted(fd, &peer->pid)) {
			close(fd);
			continue;
		}
		if (node->is_refusing)
			shutdown(fd, SHUT_RD);
		peer->fd = fd;
		peer->is_heard = false;
		peer->has_descriptor = false;
		peer->order = node->next_order++;
		peer->until_usec = sw_clock_boottime_usec() + SILENCE_USEC;
	}
}

/*
 * Discard the rest of the socket, including a descriptor, without the flush
 * that close(2) would wait for.
 */
static void discard(int fd)
{
	char byte;

	while (recv(fd, &byte, 1, MSG_DONTWAIT) > 0)
		continue;
}

/*
 * Return the size of the message; 0: closed or invalid; -1: nothing yet.
 * Without room for a descriptor, the kernel does not install it and sets
 * MSG_CTRUNC (recvmsg(2)).
 */
static ssize_t receive(struct sw_node_socket *node, struct sw_node_peer *peer)
{
	struct iovec bytes = { &node->message, sizeof(node->message) };
	struct msghdr head = { .msg_iov = &bytes, .msg_iovlen = 1 };
	ssize_t length = recvmsg(peer->fd, &head, MSG_PEEK | MSG_DONTWAIT);

	if (length < 0)
		return errno == EAGAIN || errno == EINTR ? -1 : 0;
	if ((head.msg_flags & MSG_TRUNC) ||
	    !sw_message_upgrade(&node->message, (size_t)length))
		return 0;
	peer->has_descriptor = head.msg_flags & MSG_CTRUNC;
	if (!peer->has_descriptor)
		discard(peer->fd);
	return length;
}

/* Return the next peer after order without a message so far, or NULL. */
static struct sw_node_peer *next_peer(struct sw_node_socket *node,
				      uint64_t order)
{
	struct sw_node_peer *next = NULL;
	size_t i;

	for (i = 0; i < SW_NODE_PEERS_MAX; i++) {
		struct sw_node_peer *peer = &node->peer[i];

		if (peer->fd >= 0 && !peer->is_heard && peer->order >= order &&
		    (!next || peer->order < next->order))
			next = peer;
	}
	return next;
}

struct sw_node_peer *sw_node_receive(struct sw_node_socket *node)
{
	uint64_t now = sw_clock_boottime_usec(), order = 0;
	struct sw_node_peer *peer;
	ssize_t length;

	accept_all(node);
	while ((peer = next_peer(node, order))) {
		order = peer->order + 1;
		length = receive(node, peer);
		if (length > 0) {
			peer->is_heard = true;
			return peer;
		}
		if (length == 0 || now > peer->until_usec)
			drop(peer);
	}
	return NULL;
}

void sw_node_answer(struct sw_node_peer *peer, enum sw_message_status status)
{
	struct sw_message_header answer;

	sw_message_head(&answer, SW_MESSAGE_ANSWER, sizeof(answer));
	answer.status = (uint32_t)status;
	/* Unread, it would make the peer get an error, not the answer. */
	if (peer->has_descriptor)
		discard(peer->fd);
	/* Ignore errors: the peer may have stopped waiting. */
	send(peer->fd, &answer, sizeof(answer), MSG_NOSIGNAL | MSG_DONTWAIT);
	drop(peer);
}

bool sw_node_socket_is_there(const struct sw_node_socket *node,
			     const char *path)
{
	struct stat status;

	return node->is_passed ||
	       (stat(path, &status) == 0 && status.st_dev == node->path_dev &&
		status.st_ino == node->path_ino);
}

void sw_node_socket_refuse(struct sw_node_socket *node)
{
	size_t i;

	node->is_refusing = true;
	if (!node->is_passed)
		shutdown(node->fd, SHUT_RD);
	for (i = 0; i < SW_NODE_PEERS_MAX; i++) {
		if (node->peer[i].fd >= 0)
			shutdown(node->peer[i].fd, SHUT_RD);
	}
}

void sw_node_socket_close(struct sw_node_socket *node, const char *path)
{
	size_t i;

	for (i = 0; i < SW_NODE_PEERS_MAX; i++) {
		if (node->peer[i].fd >= 0)
			drop(&node->peer[i]);
	}
	if (!node->is_passed && sw_node_socket_is_there(node, path))
		unlink(path);
	close(node->fd);
	node->fd = -1;
}

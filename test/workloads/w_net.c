/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_net serve|send|pair MIB [--address A] [--port P] [--udp]: sends MIB
 * through one connection of TCP, or in datagrams of 1,000 bytes.  "serve"
 * receives from whoever comes first, until that ends or MIB are there; "pair"
 * is both, in one process, over the loopback interface.
 *
 * Truth: sent_bytes, received_bytes: of the programs, without headers;
 * sent_calls, received_calls.
 */
#define _GNU_SOURCE 1

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

enum { DATAGRAM_SIZE = 1000, PIECE_SIZE = 65536, TRIES = 200 };

static const char *role;
static uint64_t mib;
static const char *address = "127.0.0.1";
static uint64_t port = 5301;
static bool is_udp;

static uint64_t sent_bytes, sent_calls, received_bytes, received_calls;

static const struct truth_option positionals[] = {
	{ .name = "ROLE", .help = "serve, send or pair",
	  .kind = TRUTH_STRING, .value = &role },
	{ .name = "MIB", .help = "how much",
	  .kind = TRUTH_U64, .value = &mib },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "address", .help = "A: of the server",
	  .kind = TRUTH_STRING, .value = &address },
	{ .name = "port", .help = "P: of the server",
	  .kind = TRUTH_U64, .value = &port },
	{ .name = "udp", .help = "datagrams",
	  .kind = TRUTH_FLAG, .value = &is_udp },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Sends a known number of bytes.",
	.positionals = positionals,
	.required_count = 2,
	.options = options,
};

static int open_socket(void)
{
	int fd = socket(AF_INET, (is_udp ? SOCK_DGRAM : SOCK_STREAM) |
				 SOCK_CLOEXEC, 0);

	if (fd < 0)
		truth_die("socket");
	return fd;
}

static struct sockaddr_in name_of(const char *text)
{
	struct sockaddr_in name = { .sin_family = AF_INET };

	name.sin_port = htons((uint16_t)port);
	if (inet_pton(AF_INET, text, &name.sin_addr) != 1) {
		errno = EINVAL;
		truth_die(text);
	}
	return name;
}

static int listen_there(void)
{
	struct sockaddr_in name = name_of(address);
	int fd = open_socket(), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (struct sockaddr *)&name, sizeof(name)) < 0)
		truth_die("bind");
	if (!is_udp && listen(fd, 1) < 0)
		truth_die("listen");
	return fd;
}

static void *receive(void *argument)
{
	int listener = *(int *)argument;
	int fd = is_udp ? listener : accept(listener, NULL, NULL);
	static char piece[PIECE_SIZE];
	ssize_t got = 1;

	if (fd < 0)
		truth_die("accept");
	while (got > 0 && received_bytes < mib * WORK_MIB) {
		got = recv(fd, piece, sizeof(piece), 0);
		if (got < 0)
			truth_die("recv");
		received_bytes += (uint64_t)got;
		received_calls++;
	}
	close(fd);
	return NULL;
}

/* The server may not be there yet. */
static int connect_there(void)
{
	struct sockaddr_in name = name_of(address);
	int tries = 0, fd = open_socket();

	while (connect(fd, (struct sockaddr *)&name, sizeof(name)) < 0) {
		if (errno != ECONNREFUSED || ++tries == TRIES)
			truth_die("connect");
		close(fd);
		work_sleep_usec(20000);
		fd = open_socket();
	}
	return fd;
}

static void send_all(void)
{
	static char piece[PIECE_SIZE];
	size_t size = is_udp ? DATAGRAM_SIZE : sizeof(piece);
	struct linger linger = { .l_onoff = 1, .l_linger = 60 };
	uint64_t left = mib * WORK_MIB;
	int fd = connect_there();

	while (left > 0) {
		size_t part = left < size ? (size_t)left : size;
		ssize_t sent = send(fd, piece, part, MSG_NOSIGNAL);

		if (sent < 0)
			truth_die("send");
		sent_bytes += (uint64_t)sent;
		sent_calls++;
		left -= (uint64_t)sent;
	}
	/* It ends when all has arrived, not with some on its way. */
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	close(fd);
}

static void pair(void)
{
	int listener = listen_there();
	pthread_t receiver;

	if (pthread_create(&receiver, NULL, receive, &listener) != 0)
		truth_die("pthread_create");
	send_all();
	pthread_join(receiver, NULL);
}

int main(int argc, char **argv)
{
	int listener;

	(void)argc;
	truth_begin(argv, &spec);
	if (!strcmp(role, "serve")) {
		listener = listen_there();
		receive(&listener);
	} else if (!strcmp(role, "send")) {
		send_all();
	} else if (!strcmp(role, "pair")) {
		pair();
	} else {
		errno = EINVAL;
		truth_die(role);
	}
	truth_add_u64("sent_bytes", sent_bytes);
	truth_add_u64("sent_calls", sent_calls);
	truth_add_u64("received_bytes", received_bytes);
	truth_add_u64("received_calls", received_calls);
	truth_end();
	return 0;
}

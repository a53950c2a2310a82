/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find the peer of a socket: for TCP and UDP in /proc/PID/net, for a local
 * socket by the kernel's sock_diag, which is queried for that socket only.
 */
#include "recorder/waits/sockets.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "recorder/kernel/kernlines.h"

enum {
	LINES_MAX = 10000, /* per table: some 20 milliseconds */
	/* include/net/tcp_states.h */
	STATE_SYN_SENT = 2,
	STATE_LISTENS = 10,
	ADDRESS_SIZE = 33,
	ANSWER_SIZE = 1024,
};

static const char *const tables[] = { "tcp", "tcp6", "udp", "udp6" };

/* A line of these tables */
struct entry {
	char local[ADDRESS_SIZE], remote[ADDRESS_SIZE];
	unsigned local_port, remote_port, state;
	uint64_t inode;
};

/* "0: 0100007F:1F90 0200007F:D2B4 01 0:0 00:0 0 1000 0 12345 ..." */
static bool parse(const char *line, struct entry *entry)
{
	return sscanf(line, "%*u: %32[0-9A-F]:%x %32[0-9A-F]:%x %x %*x:%*x "
		      "%*x:%*x %*x %*u %*u %" SCNu64, entry->local,
		      &entry->local_port, entry->remote, &entry->remote_port,
		      &entry->state, &entry->inode) == 6;
}

static bool is_asked(const struct entry *entry, const struct entry *wanted)
{
	if (wanted->inode)
		return entry->inode == wanted->inode;
	return entry->local_port == wanted->local_port &&
	       entry->remote_port == wanted->remote_port &&
	       !strcmp(entry->local, wanted->local) &&
	       !strcmp(entry->remote, wanted->remote);
}

/* Find a socket by its inode; if that is 0, by its addresses. */
static bool find(int proc_fd, pid_t pid, const char *table,
		 const struct entry *wanted, struct entry *found)
{
	struct sw_kernlines lines;
	struct sw_kernfile file;
	bool is_found = false;
	char path[48], *line;
	int i;

	snprintf(path, sizeof(path), "%d/net/%s", (int)pid, table);
	if (sw_kernfile_open(&file, proc_fd, path) != SW_READ_OK)
		return false;
	sw_kernlines_begin(&lines, &file);
	for (i = 0; i < LINES_MAX && !is_found; i++) {
		if (sw_kernlines_next(&lines, &line) != SW_READ_OK || !line)
			break;
		is_found = parse(line, found) && is_asked(found, wanted);
	}
	sw_kernfile_close(&file);
	return is_found;
}

/* Convert words in host byte order; print IPv4-mapped addresses as IPv4. */
static void put_address(char *text, size_t size, const char *hex,
			unsigned port)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	size_t i, count = strlen(hex) / 8;
	char word[9] = "", address[INET6_ADDRSTRLEN];
	uint8_t bytes[16] = { 0 };
	uint32_t value;

	for (i = 0; i < count && i < 4; i++) {
		memcpy(word, hex + 8 * i, 8);
		value = (uint32_t)strtoul(word, NULL, 16);
		memcpy(bytes + 4 * i, &value, sizeof(value));
	}
	if (count == 1 || !memcmp(bytes, mapped, sizeof(mapped))) {
		inet_ntop(AF_INET, bytes + (count == 1 ? 0 : 12), address,
			  sizeof(address));
		snprintf(text, size, "%s:%u", address, port);
	} else {
		inet_ntop(AF_INET6, bytes, address, sizeof(address));
		snprintf(text, size, "[%s]:%u", address, port);
	}
}

static void take(struct sw_socket *socket, int proc_fd, pid_t pid,
		 const char *table, const struct entry *entry)
{
	struct entry other, wanted = {
		.local_port = entry->remote_port,
		.remote_port = entry->local_port };

	if (entry->state == STATE_LISTENS || entry->remote_port == 0) {
		snprintf(socket->peer, sizeof(socket->peer), "port %u",
			 entry->local_port);
		return;
	}
	put_address(socket->peer, sizeof(socket->peer), entry->remote,
		    entry->remote_port);
	socket->is_connecting =
		!strncmp(table, "tcp", 3) && entry->state == STATE_SYN_SENT;
	memcpy(wanted.local, entry->remote, sizeof(wanted.local));
	memcpy(wanted.remote, entry->local, sizeof(wanted.remote));
	/* Different addresses: another node or a container. */
	if (!strcmp(entry->local, entry->remote) &&
	    find(proc_fd, pid, table, &wanted, &other))
		socket->peer_inode = other.inode;
}

/* Send the query and receive the answer.  Return its length, or -1. */
static ssize_t ask(uint64_t inode, void *answer, size_t size)
{
	struct {
		struct nlmsghdr header;
		struct unix_diag_req request;
	} question = {
		.header = { .nlmsg_len = sizeof(question),
			    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			    .nlmsg_flags = NLM_F_REQUEST },
		.request = { .sdiag_family = AF_UNIX,
			     .udiag_states = UINT32_MAX,
			     .udiag_ino = (uint32_t)inode,
			     .udiag_show = UDIAG_SHOW_PEER | UDIAG_SHOW_NAME,
			     .udiag_cookie = { UINT32_MAX, UINT32_MAX } },
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
			NETLINK_SOCK_DIAG);
	ssize_t length = -1;

	if (fd < 0)
		return -1;
	/* The answer is available once the query was sent. */
	if (send(fd, &question, sizeof(question), 0) > 0)
		length = recv(fd, answer, size, MSG_DONTWAIT);
	close(fd);
	return length;
}

/* Return the payload of an attribute in bytes[], or NULL. */
static const char *find_attribute(const char *bytes, size_t left,
				  unsigned short type, size_t *payload)
{
	struct rtattr attribute;

	while (left >= sizeof(attribute)) {
		memcpy(&attribute, bytes, sizeof(attribute));
		if (attribute.rta_len < sizeof(attribute) ||
		    attribute.rta_len > left)
			break;
		*payload = attribute.rta_len - sizeof(attribute);
		if (attribute.rta_type == type)
			return bytes + sizeof(attribute);
		if (RTA_ALIGN(attribute.rta_len) >= left)
			break;
		left -= RTA_ALIGN(attribute.rta_len);
		bytes += RTA_ALIGN(attribute.rta_len);
	}
	return NULL;
}

/* Get the inode of its peer (0: none), and its own path. */
static bool find_local(uint64_t inode, uint64_t *peer, char *name,
		       size_t size)
{
	const size_t head = NLMSG_LENGTH(sizeof(struct unix_diag_msg));
	union {
		struct nlmsghdr header;
		char bytes[ANSWER_SIZE];
	} answer;
	ssize_t length = ask(inode, &answer, sizeof(answer));
	const char *found;
	size_t payload;
	uint32_t number;

	*peer = 0;
	name[0] = '\0';
	if (length < (ssize_t)head ||
	    answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY)
		return false;
	found = find_attribute(answer.bytes + head, (size_t)length - head,
			       UNIX_DIAG_PEER, &payload);
	if (found && payload >= sizeof(number)) {
		memcpy(&number, found, sizeof(number));
		*peer = number;
	}
	found = find_attribute(answer.bytes + head, (size_t)length - head,
			       UNIX_DIAG_NAME, &payload);
	if (found)
		snprintf(name, size, "%.*s", (int)payload, found);
	return true;
}

enum sw_read_status sw_socket_find(struct sw_socket *socket, int proc_fd,
				   pid_t pid)
{
	const struct entry wanted = { .inode = socket->inode };
	char own_name[sizeof(socket->peer)];
	struct entry entry;
	uint64_t nobody;
	size_t i;

	socket->peer[0] = '\0';
	socket->peer_inode = 0;
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (!find(proc_fd, pid, tables[i], &wanted, &entry))
			continue;
		take(socket, proc_fd, pid, tables[i], &entry);
		return SW_READ_OK;
	}
	if (!find_local(socket->inode, &socket->peer_inode, own_name,
			sizeof(own_name)))
		return SW_READ_ABSENT;
	if (!socket->peer_inode ||
	    !find_local(socket->peer_inode, &nobody, socket->peer,
			sizeof(socket->peer)) || !socket->peer[0])
		memcpy(socket->peer, own_name, sizeof(own_name));
	return SW_READ_OK;
}

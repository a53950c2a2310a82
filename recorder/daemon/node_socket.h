/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The socket of the node's recorder: messages of the plugin, from root only. */
#ifndef SW_RECORDER_NODE_SOCKET_H
#define SW_RECORDER_NODE_SOCKET_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "common/protocol.h"

/* Who has connected and not been answered. */
struct sw_node_peer {
	int fd;			/* -1: free */
	pid_t pid;		/* of who connected, as it is called here */
	uint64_t order;		/* of its connection */
	uint64_t until_usec;	/* a message has to be there by then */
	bool is_heard;		/* it was; the answer is due */
	/*
	 * A descriptor came with the message.  It is not taken: closing a
	 * job's file waits for its file system.  The message stays in the
	 * socket for a child that takes it with sw_receive_with_fd(); where
	 * there is one, this is false again.
	 */
	bool has_descriptor;
};

enum { SW_NODE_PEERS_MAX = 256 };

struct sw_node_socket {
	int fd;
	uint64_t next_order;
	dev_t path_dev;			/* what was made at the path */
	ino_t path_ino;
	bool is_passed;			/* systemd's own: it stays */
	bool is_refusing;		/* only what is there is heard */
	struct sw_node_peer peer[SW_NODE_PEERS_MAX];
	union sw_message message;	/* of the peer that is heard */
};

/*
 * Listen at path, which is made anew unless it is served, or where passed_fd is
 * not -1 at that.  Call with sw_node_lock() held.  Returns 0, or -1 with *error.
 */
int sw_node_socket_open(struct sw_node_socket *node, const char *path,
			int passed_fd, struct sw_error *error);

/*
 * Does a process of this user listen at path that is not about to end?  Where
 * it is systemd, its unit serves there, or will.
 */
bool sw_node_is_served(const char *path);

/* The descriptor that systemd has opened (sd_listen_fds(3)); -1: none. */
int sw_node_passed_socket(void);

/* Fill up to room entries with what to poll() for; their number. */
size_t sw_node_socket_poll(const struct sw_node_socket *node,
			   struct pollfd *polled, size_t room);

/*
 * The next peer with a good message, in node->message; NULL: none.  Of several
 * the one that connected first: a step's messages come one after the other, and
 * are heard so.  Accepts whoever waits, drops who may not, is silent too long
 * or talks nonsense.
 */
struct sw_node_peer *sw_node_receive(struct sw_node_socket *node);

/* Answer and close; what was left in the socket is let go of. */
void sw_node_answer(struct sw_node_peer *peer, enum sw_message_status status);

/*
 * Does the path still lead here?  Not where it was removed or another socket,
 * of systemd say, has taken its place: then nobody can be heard any more.
 */
bool sw_node_socket_is_there(const struct sw_node_socket *node,
			     const char *path);

/*
 * From now on nobody can connect or send, so that the plugin keeps what it has
 * to say for the next recorder; what was sent before can still be heard.
 */
void sw_node_socket_refuse(struct sw_node_socket *node);

void sw_node_socket_close(struct sw_node_socket *node, const char *path);

#endif

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

/* A peer that is connected and not answered yet */
struct sw_node_peer {
	int fd;			/* -1: free */
	pid_t pid;		/* of the peer, in this namespace */
	uint64_t order;		/* order of connections */
	uint64_t until_usec;	/* deadline for its message */
	bool is_heard;		/* message received, answer pending */
	/*
	 * A descriptor came with the message.  It is not received here, since
	 * closing a job's file may block.  The message stays in the socket for
	 * a child, which receives it with sw_receive_with_fd(); then this is
	 * reset to false.
	 */
	bool has_descriptor;
};

enum { SW_NODE_PEERS_MAX = 256 };

struct sw_node_socket {
	int fd;
	uint64_t next_order;
	dev_t path_dev;			/* identify the file at the path */
	ino_t path_ino;
	bool is_passed;			/* from systemd: not removed */
	bool is_refusing;		/* no new connections */
	struct sw_node_peer peer[SW_NODE_PEERS_MAX];
	union sw_message message;	/* of the current peer */
};

/*
 * Listen at path, creating it unless it is served, or use passed_fd if that is
 * not -1.  Call with sw_node_lock() held.  Return 0, or -1 with *error.
 */
int sw_node_socket_open(struct sw_node_socket *node, const char *path,
			int passed_fd, struct sw_error *error);

/*
 * Return whether a process of this user listens at path that is not about to
 * end.  If it is systemd, its unit serves the path, or will.
 */
bool sw_node_is_served(const char *path);

/* Return the descriptor passed by systemd (sd_listen_fds(3)); -1: none. */
int sw_node_passed_socket(void);

/* Fill in up to room poll() entries.  Return their number. */
size_t sw_node_socket_poll(const struct sw_node_socket *node,
			   struct pollfd *polled, size_t room);

/*
 * Return the next peer with a valid message, in node->message, or NULL.  Peers
 * are served in the order of connection, which preserves the order of a step's
 * messages.  Accepts connections, and drops peers that are unauthorized, silent
 * too long, or send invalid data.
 */
struct sw_node_peer *sw_node_receive(struct sw_node_socket *node);

/* Answer and close; the rest of the socket is discarded. */
void sw_node_answer(struct sw_node_peer *peer, enum sw_message_status status);

/*
 * Return whether the path still leads here.  If it was removed or replaced by
 * another socket, for example systemd's, no more messages will come.
 */
bool sw_node_socket_is_there(const struct sw_node_socket *node,
			     const char *path);

/*
 * Refuse connections and messages from now on, so that the plugin keeps its
 * messages for the next recorder; those sent before can still be received.
 */
void sw_node_socket_refuse(struct sw_node_socket *node);

void sw_node_socket_close(struct sw_node_socket *node, const char *path);

#endif

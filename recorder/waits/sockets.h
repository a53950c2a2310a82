/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the peer of a socket. */
#ifndef SW_RECORDER_SOCKETS_H
#define SW_RECORDER_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/kernel/kernfile.h"

struct sw_socket {
	uint64_t inode;		/* socket to find */
	/*
	 * "10.1.2.3:5432", "[::1]:80", "port 80" if listening, the path of a
	 * local one; "": not known.  Untrusted.
	 */
	char peer[112];
	uint64_t peer_inode;	/* on this node; 0: unknown */
	bool is_connecting;	/* peer has not answered yet */
};

/*
 * Find the socket in the network namespace of the process; local sockets only
 * in the recorder's own.  Return ABSENT if not found.  May block: for visits.c
 * only.
 */
enum sw_read_status sw_socket_find(struct sw_socket *socket, int proc_fd,
				   pid_t pid);

#endif

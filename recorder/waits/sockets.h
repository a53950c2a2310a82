/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is at the other end of a socket. */
#ifndef SW_RECORDER_SOCKETS_H
#define SW_RECORDER_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/kernel/kernfile.h"

struct sw_socket {
	uint64_t inode;		/* to be asked about */
	/* "10.1.2.3:5432", "[::1]:80", "port 80" of one that listens, the
	 * path of a local one; "": not known.  Hostile. */
	char peer[112];
	uint64_t peer_inode;	/* on this node; 0: not known */
	bool is_connecting;	/* the peer has not answered yet */
};

/*
 * In the network of the process; local ones only in the recorder's own.
 * ABSENT where it is not found.  May block: only visits.c calls it.
 */
enum sw_read_status sw_socket_find(struct sw_socket *socket, int proc_fd,
				   pid_t pid);

#endif

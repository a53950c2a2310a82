/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that delivers profiles to users.  It is forked early and holds
 * only its end of a socket; for each profile it forks (never executes) a child
 * that becomes the user and copies the file, so that a user's hanging file
 * system blocks only that child.
 */
#ifndef SW_RECORDER_DELIVERER_H
#define SW_RECORDER_DELIVERER_H

#include <limits.h>
#include <stdint.h>

#include "common/error.h"

/* An order, sent with the open profile */
struct sw_delivery_order {
	uint64_t id;
	uint32_t uid, gid;
	uint64_t keep_seconds, max_bytes;	/* see sw_prune() */
	char name[NAME_MAX + 1];
};

enum sw_delivery_result {
	SW_DELIVERED = 0,
	SW_DELIVERY_FAILED = 1,		/* retry later */
	SW_DELIVERY_REFUSED = 2,	/* the directory is not the user's */
};

/* The answer. */
struct sw_delivery_done {
	uint64_t id;
	int32_t result;		/* enum sw_delivery_result */
	int32_t error;		/* errno of a failure */
};

/*
 * Fork the deliverer, which ends with this process.  profile_dir contains the
 * users' directories, named by uid.  Return this end of its socket
 * (SOCK_SEQPACKET, nonblocking), or -1 with *error.
 */
int sw_deliverer_start(const char *profile_dir, struct sw_error *error);

/* Send an order and the open profile.  Return 0, or -1 with errno. */
int sw_deliverer_send(int socket_fd, const struct sw_delivery_order *order,
		      int profile_fd);

#endif

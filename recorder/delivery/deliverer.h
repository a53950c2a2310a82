/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that hands profiles to their users.  It is forked early and
 * holds nothing but its end of a socket; for each profile it forks (never
 * executes) a child that becomes the user and copies the file, so that a dead
 * file system of a user's holds up that child and nobody else.
 */
#ifndef SW_RECORDER_DELIVERER_H
#define SW_RECORDER_DELIVERER_H

#include <limits.h>
#include <stdint.h>

#include "common/error.h"

/* What to hand over, sent with the open profile. */
struct sw_delivery_order {
	uint64_t id;
	uint32_t uid, gid;
	uint64_t keep_seconds, max_bytes;	/* as sw_prune() takes them */
	char name[NAME_MAX + 1];
};

enum sw_delivery_result {
	SW_DELIVERED = 0,
	SW_DELIVERY_FAILED = 1,		/* again later */
	SW_DELIVERY_REFUSED = 2,	/* the folder is not the user's */
};

/* The answer. */
struct sw_delivery_done {
	uint64_t id;
	int32_t result;		/* enum sw_delivery_result */
	int32_t error;		/* errno, where it failed */
};

/*
 * Fork the deliverer, which ends when this process does.  profile_dir has the
 * users' folders, each with the user's number as its name.  Returns this end
 * of its socket (SOCK_SEQPACKET, not blocking), or -1 with *error.
 */
int sw_deliverer_start(const char *profile_dir, struct sw_error *error);

/* Hand over an order and the open profile.  0, or -1 with errno. */
int sw_deliverer_send(int socket_fd, const struct sw_delivery_order *order,
		      int profile_fd);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One message to the node's recorder, and its answer if there is time.  No
 * descriptor outlives a call; nothing here waits longer than it was told.
 */
#ifndef SW_SPANK_SEND_MESSAGE_H
#define SW_SPANK_SEND_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/protocol.h"

/*
 * Send a message, and with it the open file descriptor unless that is -1.
 * With *wait_usec > 0 wait at most so long for the answer and
 * take the time it took off *wait_usec, all of it where none came.  Returns the
 * answer's status, 0 where none was waited for, or -1 with errno: ETIMEDOUT or
 * EPROTO where the message may have been read, else it was not.
 */
int sw_send_message(const char *socket_path,
		    const struct sw_message_header *message, int descriptor,
		    uint64_t *wait_usec);

/*
 * Does the socket accept for a process of root's that is not about to exit?
 * One of systemd's does before its recorder has started, and starts it.
 */
bool sw_is_served(const char *socket_path);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends one message to the node's recorder and waits for the answer if there is
 * time.  No descriptor stays open after a call; nothing waits longer than
 * allowed.
 */
#ifndef SW_SPANK_SEND_MESSAGE_H
#define SW_SPANK_SEND_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/protocol.h"

/*
 * Send a message, together with the open file descriptor unless that is -1.  If
 * *wait_usec > 0, wait at most that long for the answer and subtract the time
 * taken from *wait_usec, or all of it without an answer.  Return the status in
 * the answer, 0 without waiting, or -1 with errno: ETIMEDOUT or EPROTO if the
 * message may have been read, otherwise it was not.
 */
int sw_send_message(const char *socket_path,
		    const struct sw_message_header *message, int descriptor,
		    uint64_t *wait_usec);

/*
 * Return true if the socket accepts for a process of root that is not exiting.
 * A systemd socket accepts before its recorder has started, and starts it.
 */
bool sw_is_served(const char *socket_path);

#endif

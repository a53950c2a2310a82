/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends that nobody listened for: kept in a file for the next recorder. */
#ifndef SW_SPANK_DROP_H
#define SW_SPANK_DROP_H

#include <stdint.h>

#include "common/protocol.h"

/*
 * Append a message to SW_DROP_PATH.  Returns 0, or -1 where there never was a
 * recorder, the file is not root's own, or it is full, or was locked for as
 * long as one may wait: *wait_usec, of which what was waited is taken.
 */
int sw_drop(const struct sw_message_header *message, uint64_t *wait_usec);

#endif

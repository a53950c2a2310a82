/* SPDX-License-Identifier: GPL-2.0-or-later */
/* End messages that no recorder received: kept in a file for the next one. */
#ifndef SW_SPANK_DROP_H
#define SW_SPANK_DROP_H

#include <stdint.h>

#include "common/protocol.h"

/*
 * Append a message to SW_DROP_PATH.  Return 0, or -1 if there never was a
 * recorder, or if the file is not owned by root, is full, or was locked for all
 * of *wait_usec, which is reduced by the time waited.
 */
int sw_drop(const struct sw_message_header *message, uint64_t *wait_usec);

#endif

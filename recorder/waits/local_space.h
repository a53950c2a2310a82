/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Get the free space for scratch files on the node's local disk. */
#ifndef SW_RECORDER_LOCAL_SPACE_H
#define SW_RECORDER_LOCAL_SPACE_H

#include <stdint.h>

#include "recorder/kernel/kernfile.h"

/*
 * Set its directory, as configured by the administrator or the user of "run":
 * once, at the start.  The string must stay valid; NULL and relative paths are
 * ignored.
 */
void sw_local_space_set(const char *folder);

/*
 * Get the space available to users.  Return ABSENT if it is not a local disk:
 * in memory, remote, or missing.  May block: for visits.c only.
 */
enum sw_read_status sw_local_space_read(uint64_t *free_bytes);

#endif

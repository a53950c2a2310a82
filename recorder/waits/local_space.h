/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much room the node's local disk has for scratch files. */
#ifndef SW_RECORDER_LOCAL_SPACE_H
#define SW_RECORDER_LOCAL_SPACE_H

#include <stdint.h>

#include "recorder/kernel/kernfile.h"

/*
 * Its folder, which the administrator names, or who runs a command: once, at
 * the start.  The text must stay; NULL and no absolute path are ignored.
 */
void sw_local_space_set(const char *folder);

/*
 * What a user may still write there.  ABSENT where that is no local disk: in
 * memory, on another machine, not there.  May block: only visits.c calls it.
 */
enum sw_read_status sw_local_space_read(uint64_t *free_bytes);

#endif

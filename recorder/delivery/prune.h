/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remove old profiles from directories. */
#ifndef SW_RECORDER_PRUNE_H
#define SW_RECORDER_PRUNE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Remove finished profiles in the directories that were last modified more than
 * keep_seconds ago (0: keep forever), then the oldest ones until at most
 * max_bytes remain (0: no limit).  Keep the one named spare (NULL: none).
 * Return the number removed.
 */
uint64_t sw_prune(const int *dirfds, size_t dirfd_count,
		  uint64_t keep_seconds, uint64_t max_bytes,
		  const char *spare);

#endif

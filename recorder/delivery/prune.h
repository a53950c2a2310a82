/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removing old profiles from folders. */
#ifndef SW_RECORDER_PRUNE_H
#define SW_RECORDER_PRUNE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Of the finished profiles in the folders remove those that were last changed
 * more than keep_seconds ago (0: for ever), then the oldest ones until the
 * rest is of max_bytes at most (0: no limit).  The one called spare stays
 * (NULL: none does).  Returns how many were removed.
 */
uint64_t sw_prune(const int *dirfds, size_t dirfd_count,
		  uint64_t keep_seconds, uint64_t max_bytes,
		  const char *spare);

#endif

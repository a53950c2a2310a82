/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading and writing at a place of a file, all of it. */
#ifndef SW_COMMON_WHOLE_H
#define SW_COMMON_WHOLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* 0, or -1 (errno; ENOSPC where no more is taken) with a part written. */
int sw_write_whole(int fd, const void *bytes, size_t size, uint64_t offset);

/* How much there was: less than size at the end of the file; -1 (errno). */
ssize_t sw_read_whole(int fd, void *buffer, size_t size, uint64_t offset);

#endif

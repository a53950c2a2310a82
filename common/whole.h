/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read and write completely at an offset. */
#ifndef SW_COMMON_WHOLE_H
#define SW_COMMON_WHOLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Return 0, or -1 with a part written (errno; ENOSPC if nothing fits). */
int sw_write_whole(int fd, const void *bytes, size_t size, uint64_t offset);

/* Return the bytes read: less than size at the end of the file; -1 (errno). */
ssize_t sw_read_whole(int fd, void *buffer, size_t size, uint64_t offset);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copy bytes from one file to another. */
#ifndef SW_ANALYZER_SWEEP_GATHER_COPY_BYTES_H
#define SW_ANALYZER_SWEEP_GATHER_COPY_BYTES_H

#include <sys/types.h>

/*
 * Copy the first size bytes to the same offsets.  Bytes appended meanwhile are
 * not copied.  Return 0, or -1 with errno: ESTALE if the file is shorter.
 */
int sw_copy_bytes(int from, int into, off_t size);

#endif

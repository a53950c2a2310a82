/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes from one file to another. */
#ifndef SW_ANALYZER_SWEEP_GATHER_COPY_BYTES_H
#define SW_ANALYZER_SWEEP_GATHER_COPY_BYTES_H

#include <sys/types.h>

/*
 * The first so many bytes, to the same places, and what was written behind them
 * meanwhile stays there.  0, or -1 with errno: ESTALE where there are fewer.
 */
int sw_copy_bytes(int from, int into, off_t size);

#endif

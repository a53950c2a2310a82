/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times of rows, told by the times of other rows.  What is read in one round
 * is read within a moment, so a frame's first column of times, of its first
 * group of rows, gives ticks, and a run of other times is the number of the
 * last tick and what has passed since.
 */
#ifndef SW_PROFILES_TICKS_H
#define SW_PROFILES_TICKS_H

#include "profiles/layout.h"
#include "profiles/stream.h"

struct sw_ticks {
	size_t count;
	uint64_t at[SW_FRAME_ROWS_MAX];
};

/* More ticks; what goes beyond SW_FRAME_ROWS_MAX is left out. */
void sw_ticks_add(struct sw_ticks *ticks, const uint64_t *times, size_t count);

/* As sw_stream_encode(), of times. */
bool sw_ticks_encode(struct sw_stream_sink *sink, const uint64_t *values,
		     size_t count, const struct sw_ticks *ticks,
		     uint64_t *previous);

/* As sw_stream_decode(). */
bool sw_ticks_decode(struct sw_stream_source *source, uint64_t *values,
		     size_t count, const struct sw_ticks *ticks,
		     uint64_t *previous);

#endif

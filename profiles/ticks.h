/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encode times of rows relative to times of other rows.  All sources of one
 * pass are read within a moment, so the first group of rows of a frame's first
 * time column defines ticks, and other times are stored as the number of the
 * last tick and the time since.
 */
#ifndef SW_PROFILES_TICKS_H
#define SW_PROFILES_TICKS_H

#include "profiles/layout.h"
#include "profiles/stream.h"

struct sw_ticks {
	size_t count;
	uint64_t at[SW_FRAME_ROWS_MAX];
};

/* Add ticks; those beyond SW_FRAME_ROWS_MAX are ignored. */
void sw_ticks_add(struct sw_ticks *ticks, const uint64_t *times, size_t count);

/* As sw_stream_encode(), for times. */
bool sw_ticks_encode(struct sw_stream_sink *sink, const uint64_t *values,
		     size_t count, const struct sw_ticks *ticks,
		     uint64_t *previous);

/* As sw_stream_decode(), for times. */
bool sw_ticks_decode(struct sw_stream_source *source, uint64_t *values,
		     size_t count, const struct sw_ticks *ticks,
		     uint64_t *previous);

#endif

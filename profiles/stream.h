/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The codec of numbers: a run of up to SW_RUN_ROWS_MAX values of one column
 * becomes a few bytes of head and, where values are not regular, some bits for
 * each.  Differences wrap, so that every value of 64 bits comes back as it was.
 *
 * Differences of the first or second order are packed with as few bits as most
 * of them take; the others are exceptions, kept apart (patched frame of
 * reference: Zukowski et al., "Super-scalar RAM-CPU cache compression", ICDE
 * 2006).  Of noise, the highest bits go into bytes of their own, where zstd
 * sees that some are more frequent than others.
 */
#ifndef SW_PROFILES_STREAM_H
#define SW_PROFILES_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Three growing regions: heads, highest bits, packed bits. */
struct sw_stream_sink {
	uint8_t *head;
	uint8_t *head_end;
	uint8_t *high;
	uint8_t *high_end;
	uint8_t *data;
	uint8_t *data_end;
};

struct sw_stream_source {
	const uint8_t *head;
	const uint8_t *head_end;
	const uint8_t *high;
	const uint8_t *high_end;
	const uint8_t *data; /* SW_PLAIN_SLACK bytes behind it are readable */
	const uint8_t *data_end;
};

/* What a run is told by its difference to. */
enum sw_beside {
	SW_BESIDE_NOTHING = 0,
	SW_BESIDE_TIME = 1,
	SW_BESIDE_LAST = 2,	  /* the column before */
	SW_BESIDE_DIFFERENCE = 3, /* the one before that less it */
};

/*
 * Other values of the same rows that a run may be told by its difference to;
 * any may be NULL.
 */
struct sw_stream_beside {
	const uint64_t *time; /* the table's first time */
	const uint64_t *last; /* the column of numbers before this one */
	const uint64_t *second_last;
};

static inline uint64_t sw_zigzag(uint64_t value)
{
	return (value << 1) ^ (0 - (value >> 63));
}

static inline uint64_t sw_unzigzag(uint64_t value)
{
	return (value >> 1) ^ (0 - (value & 1));
}

/* Append to the heads; false where there is no room. */
bool sw_stream_put_varint(struct sw_stream_sink *sink, uint64_t value);

/* Take from the heads; false where they end or hold no varint. */
bool sw_stream_get_varint(struct sw_stream_source *source, uint64_t *value);

/*
 * Encode count values (1 to SW_RUN_ROWS_MAX).  *previous is the first value
 * of the column's previous run, 0 for its first run; it is moved on.  Returns
 * false where there is no room.
 */
bool sw_stream_encode(struct sw_stream_sink *sink, const uint64_t *values,
		      size_t count, const struct sw_stream_beside *beside,
		      uint64_t *previous);

/* The reverse; false where the bytes are not what the encoder writes. */
bool sw_stream_decode(struct sw_stream_source *source, uint64_t *values,
		      size_t count, const struct sw_stream_beside *beside,
		      uint64_t *previous);

/*
 * Pass over a run: what of it can be checked without its values is.
 */
bool sw_stream_pass(struct sw_stream_source *source, size_t count,
		    enum sw_beside *beside);

#endif

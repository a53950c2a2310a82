/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The codec of numbers: up to SW_RUN_ROWS_MAX values become a few bytes of
 * head (first value, width, minimum) and bit-packed data.  Differences wrap,
 * so that every value of 64 bits comes back as it was.
 */
#ifndef SW_PROFILES_STREAM_H
#define SW_PROFILES_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two growing regions: heads and packed data. */
struct sw_stream_sink {
	uint8_t *head;
	uint8_t *head_end;
	uint8_t *data;
	uint8_t *data_end;
};

struct sw_stream_source {
	const uint8_t *head;
	const uint8_t *head_end;
	const uint8_t *data;	/* SW_PLAIN_SLACK bytes behind it are readable */
	const uint8_t *data_end;
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
		      size_t count, uint64_t *previous);

/* The reverse; false where the bytes are not what the encoder writes. */
bool sw_stream_decode(struct sw_stream_source *source, uint64_t *values,
		      size_t count, uint64_t *previous);

#endif

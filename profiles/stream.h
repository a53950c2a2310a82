/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The codec of numbers: a run of up to SW_RUN_ROWS_MAX values of one column
 * becomes a few bytes of head and, if the values are irregular, some bits each.
 * Differences wrap, so that every 64-bit value is restored exactly.
 *
 * Differences of the first or second order are packed with as few bits as most
 * of them take; the others are exceptions, stored separately (patched frame of
 * reference: Zukowski et al., "Super-scalar RAM-CPU cache compression", ICDE
 * 2006).  For noise, the highest bits go into separate bytes, where zstd can
 * exploit that some are more frequent than others.
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
	const uint8_t *data; /* SW_PLAIN_SLACK bytes after it are readable */
	const uint8_t *data_end;
};

/* Reference to which a run's differences are stored. */
enum sw_beside {
	SW_BESIDE_NOTHING = 0,
	SW_BESIDE_TIME = 1,
	SW_BESIDE_LAST = 2,	  /* the previous column */
	SW_BESIDE_DIFFERENCE = 3, /* second last less last column */
};

/* Values of the same rows to store differences to; any may be NULL. */
struct sw_stream_beside {
	const uint64_t *time; /* the table's first time */
	const uint64_t *last; /* the previous column of numbers */
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

/* Append to the heads; false if there is no room. */
bool sw_stream_put_varint(struct sw_stream_sink *sink, uint64_t value);

/* Take from the heads; false if they end or hold no varint. */
bool sw_stream_get_varint(struct sw_stream_source *source, uint64_t *value);

/*
 * Encode count values (1 to SW_RUN_ROWS_MAX).  *previous is the first value of
 * the column's previous run, 0 for its first run, and is updated.  Returns
 * false if there is no room.
 */
bool sw_stream_encode(struct sw_stream_sink *sink, const uint64_t *values,
		      size_t count, const struct sw_stream_beside *beside,
		      uint64_t *previous);

/* The reverse; false if no encoder writes such bytes. */
bool sw_stream_decode(struct sw_stream_source *source, uint64_t *values,
		      size_t count, const struct sw_stream_beside *beside,
		      uint64_t *previous);

/* Skip a run, checking what can be checked without its values. */
bool sw_stream_pass(struct sw_stream_source *source, size_t count,
		    enum sw_beside *beside);

#endif

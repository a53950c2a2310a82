/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The encoder's memory, shared by its files. */
#ifndef SW_PROFILES_ENCODER_INTERNAL_H
#define SW_PROFILES_ENCODER_INTERNAL_H

#include "profiles/encoder.h"
#include "profiles/grouping.h"
#include "profiles/stream.h"
#include "profiles/ticks.h"

enum {
	SW_ENCODER_HEADS_AT = SW_BLOCK_HEAD_SIZE, /* in the body */
	SW_ENCODER_HIGH_AT = 96 * 1024,
	SW_ENCODER_DATA_AT = 224 * 1024,
	SW_ENCODER_BODY_MAX = 448 * 1024, /* below SW_PLAIN_MAX */
	SW_ENCODER_DIRECTORY_MAX = 16 * SW_BLOCK_SECTIONS_MAX,
	SW_ENCODER_FRAME_BUFFER_SIZE =
		SW_FRAME_HEAD_SIZE + SW_BLOCK_FIXED_SIZE +
		SW_ENCODER_DIRECTORY_MAX + SW_ENCODER_BODY_MAX,
	SW_ENCODER_GATHER_COLUMNS =
		8, /* what a cache line holds of a row */
};

/* A table's rows in the order readers return them and in that of columns. */
struct sw_encoder_order {
	const uint8_t *given[SW_FRAME_ROWS_MAX];
	const uint8_t *rows[SW_FRAME_ROWS_MAX];
	uint16_t runs[SW_FRAME_ROWS_MAX];     /* rows of each run */
	uint16_t key_rows[SW_FRAME_ROWS_MAX]; /* rows of each key */
	size_t run_count;
	size_t key_count;
	size_t first_count; /* rows of the first group */
};

/* Columns that others are stored as differences to, in row order. */
struct sw_encoder_beside {
	uint64_t time[SW_FRAME_ROWS_MAX];
	uint64_t carried[2][SW_FRAME_ROWS_MAX]; /* before the last gather() */
	bool has_time;
	const uint64_t *last;
	const uint64_t *second_last;
};

struct sw_encoder {
	uint8_t plain[SW_ENCODER_BODY_MAX];
	union {
		uint8_t frame[SW_ENCODER_FRAME_BUFFER_SIZE];
		/* Scratch space for rows, unused once there is a frame. */
		struct {
			uint64_t columns[SW_ENCODER_GATHER_COLUMNS]
					[SW_FRAME_ROWS_MAX];
			struct sw_encoder_beside beside;
		};
	};
	const uint8_t *rows[SW_FRAME_ROWS_MAX];
	struct sw_encoder_order order;
	struct sw_grouping grouping;
	uint16_t places[SW_FRAME_ROWS_MAX];
	struct sw_ticks ticks;
	struct sw_stream_sink sink;
	uint8_t directory[SW_ENCODER_DIRECTORY_MAX];
	uint8_t *directory_end;
	size_t section_count;
	uint32_t generation;
	uint64_t first_usec;
	uint64_t last_usec;
	struct ZSTD_CCtx_s *zstd;
	void *zstd_memory;
};

/*
 * Encode all columns of the first count rows into the sink.  Returns false if
 * they do not fit; the sink is then undefined.
 */
bool sw_encoder_put_section(struct sw_encoder *encoder,
			    const struct sw_row_shape *shape, size_t count);

#endif

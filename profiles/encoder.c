/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turn rows, laid out as in a tail, into the payload of a frame.  Cannot fail:
 * data that zstd cannot compress is stored as is, and rows that do not fit are
 * left for the next frame.
 */
#define ZSTD_STATIC_LINKING_ONLY
#include "profiles/encoder_internal.h"

#include <stdlib.h>
#include <zstd.h>

#include "common/missing.h"

enum {
	BODY_SMALL = 48, /* below this zstd's own header eats the gain */
	PART_COUNT = 3,
	PAGE_SIZE_MIN = 4096,
	PART_LARGE = 2048, /* a part this long is compressed separately */
};

/*
 * Measured on noisy and on real counters (bench/): higher levels and wider
 * windows cost time and memory and save less than 1 %.
 */
static const struct {
	ZSTD_cParameter parameter;
	int value;
} zstd_settings[] = {
	{ ZSTD_c_compressionLevel, 1 }, { ZSTD_c_windowLog, 17 },
	{ ZSTD_c_hashLog, 13 },	      { ZSTD_c_strategy, ZSTD_fast },
	{ ZSTD_c_contentSizeFlag, 0 },
};

#define ZSTD_SETTING_COUNT (sizeof(zstd_settings) / sizeof(zstd_settings[0]))

/* Set up the context in memory of our own, so that it never allocates. */
static int open_zstd(struct sw_encoder *encoder)
{
	ZSTD_CCtx_params *params = ZSTD_createCCtxParams();
	size_t size;

	if (!params)
		return -1;
	for (size_t i = 0; i < ZSTD_SETTING_COUNT; i++)
		ZSTD_CCtxParams_setParameter(params, zstd_settings[i].parameter,
					     zstd_settings[i].value);
	size = ZSTD_estimateCCtxSize_usingCCtxParams(params);
	ZSTD_freeCCtxParams(params);
	if (ZSTD_isError(size))
		return -1;
	encoder->zstd_memory = malloc(size);
	if (!encoder->zstd_memory)
		return -1;
	encoder->zstd =
		ZSTD_initStaticCCtx(encoder->zstd_memory, size);
	if (!encoder->zstd)
		return -1;
	for (size_t i = 0; i < ZSTD_SETTING_COUNT; i++)
		if (ZSTD_isError(ZSTD_CCtx_setParameter(
			    encoder->zstd, zstd_settings[i].parameter,
			    zstd_settings[i].value)))
			return -1;
	return 0;
}

/*
 * Touch the pages now: otherwise a recorder's memory would grow for an hour, by
 * a page with each block slightly larger than all before.
 */
static void take_pages(void *memory, size_t size)
{
	volatile uint8_t *byte = memory;

	for (size_t at = 0; at < size; at += PAGE_SIZE_MIN)
		byte[at] = 0;
}

struct sw_encoder *sw_encoder_get(void)
{
	static struct sw_encoder *encoder;

	if (encoder)
		return encoder;
	encoder = calloc(1, sizeof(*encoder));
	if (!encoder)
		return NULL;
	if (open_zstd(encoder) < 0) {
		free(encoder->zstd_memory);
		free(encoder);
		encoder = NULL;
		return NULL;
	}
	take_pages(encoder, sizeof(*encoder));
	return encoder;
}

const uint8_t **sw_encoder_rows(struct sw_encoder *encoder)
{
	return encoder->rows;
}

static uint8_t *put_directory_number(uint8_t *at, uint32_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (uint8_t)(number | 0x80);
	*at++ = (uint8_t)number;
	return at;
}

/* Append what a reader needs to know of a section before decompressing it. */
static void put_directory(struct sw_encoder *encoder,
			  const struct sw_row_shape *shape, size_t count)
{
	const uint8_t *first = encoder->rows[0];
	const uint8_t *last = encoder->rows[count - 1];
	uint8_t *at = encoder->directory_end;

	at = put_directory_number(at, shape->table);
	at = put_directory_number(at, (uint32_t)count);
	at = put_directory_number(at, sw_get_u32(first + 20));
	encoder->directory_end = at;
	encoder->section_count++;
	encoder->generation = sw_get_u32(first + 16);
	if (sw_get_u64(first + 24) < encoder->first_usec)
		encoder->first_usec = sw_get_u64(first + 24);
	encoder->last_usec =
		sw_max_u64(encoder->last_usec, sw_get_u64(last + 24));
}

void sw_encoder_begin(struct sw_encoder *encoder)
{
	encoder->sink = (struct sw_stream_sink){
		.head = encoder->plain + SW_ENCODER_HEADS_AT,
		.head_end = encoder->plain + SW_ENCODER_HIGH_AT,
		.high = encoder->plain + SW_ENCODER_HIGH_AT,
		.high_end = encoder->plain + SW_ENCODER_DATA_AT,
		.data = encoder->plain + SW_ENCODER_DATA_AT,
		.data_end = encoder->plain + sizeof(encoder->plain),
	};
	encoder->ticks.count = 0;
	encoder->directory_end = encoder->directory;
	encoder->section_count = 0;
	encoder->first_usec = SW_MISSING;
	encoder->last_usec = 0;
}

size_t sw_encoder_add(struct sw_encoder *encoder,
		      const struct sw_row_shape *shape, size_t count)
{
	const struct sw_stream_sink start = encoder->sink;
	size_t tick_count = encoder->ticks.count;

	if (encoder->section_count == SW_BLOCK_SECTIONS_MAX)
		return 0;
	while (!sw_encoder_put_section(encoder, shape, count)) {
		encoder->sink = start;
		encoder->ticks.count = tick_count;
		/* A single row always fits: the tail accepts no other. */
		if (encoder->section_count > 0)
			return 0;
		count /= 2;
	}
	put_directory(encoder, shape, count);
	return count;
}

/* Move the parts of the body together; returns their length. */
static size_t close_body(struct sw_encoder *encoder, size_t *parts)
{
	const struct sw_stream_sink *sink = &encoder->sink;
	uint8_t *at = sink->head;

	parts[0] = (size_t)(sink->head - encoder->plain);
	parts[1] = (size_t)(sink->high - (encoder->plain + SW_ENCODER_HIGH_AT));
	parts[2] = (size_t)(sink->data - (encoder->plain + SW_ENCODER_DATA_AT));
	sw_put_u32(encoder->plain, (uint32_t)(parts[0] - SW_BLOCK_HEAD_SIZE));
	sw_put_u32(encoder->plain + 4, (uint32_t)parts[1]);
	memmove(at, encoder->plain + SW_ENCODER_HIGH_AT, parts[1]);
	at += parts[1];
	memmove(at, encoder->plain + SW_ENCODER_DATA_AT, parts[2]);
	return parts[0] + parts[1] + parts[2];
}

/* Parts of a body differ enough to be compressed separately, if long enough. */
static void join_small(size_t *parts)
{
	if (parts[1] >= PART_LARGE || parts[2] >= PART_LARGE)
		return;
	parts[0] += parts[1] + parts[2];
	parts[1] = parts[2] = 0;
}

/* Compress all parts into less than room; returns 0 if they do not fit. */
static size_t pack_parts(struct sw_encoder *encoder, uint8_t *to, size_t room,
			 const uint8_t *from, const size_t *parts)
{
	size_t done = 0;

	for (size_t i = 0; i < PART_COUNT; i++) {
		size_t packed;

		if (!parts[i])
			continue;
		packed = ZSTD_compress2(encoder->zstd, to + done, room - done,
					from, parts[i]);
		if (ZSTD_isError(packed))
			return 0;
		done += packed;
		from += parts[i];
	}
	return done;
}

/* Append the body to the fixed part of a payload, compressed if that helps. */
static void pack_body(struct sw_encoder *encoder, size_t fixed_size,
		      const uint8_t *body, const size_t *parts,
		      struct sw_payload *payload)
{
	uint8_t *at = encoder->frame + SW_FRAME_HEAD_SIZE + fixed_size;
	size_t body_size = parts[0] + parts[1] + parts[2];
	size_t packed = 0;

	if (body_size >= BODY_SMALL)
		packed = pack_parts(encoder, at, body_size - 1, body, parts);
	if (!packed && body_size)
		memcpy(at, body, body_size);
	payload->frame = encoder->frame;
	payload->size_bytes = fixed_size + (packed ? packed : body_size);
	payload->flags = packed ? SW_FRAME_FLAG_ZSTD : 0;
}

bool sw_encoder_end(struct sw_encoder *encoder, struct sw_payload *payload)
{
	uint8_t *fixed = encoder->frame + SW_FRAME_HEAD_SIZE;
	size_t directory_size =
		(size_t)(encoder->directory_end - encoder->directory);
	size_t parts[PART_COUNT];

	if (!encoder->section_count)
		return false;
	sw_put_u32(fixed, encoder->generation);
	sw_put_u32(fixed + 4, (uint32_t)close_body(encoder, parts));
	sw_put_u16(fixed + 8, (uint16_t)directory_size);
	sw_put_u16(fixed + 10, (uint16_t)encoder->section_count);
	sw_put_u32(fixed + 12, 0);
	sw_put_u64(fixed + 16, encoder->first_usec);
	sw_put_u64(fixed + 24, encoder->last_usec);
	memcpy(fixed + SW_BLOCK_FIXED_SIZE, encoder->directory, directory_size);
	join_small(parts);
	pack_body(encoder, SW_BLOCK_FIXED_SIZE + directory_size, encoder->plain,
		  parts, payload);
	return true;
}

void sw_encoder_wrap(struct sw_encoder *encoder, const uint8_t *fixed,
		     size_t fixed_size, const uint8_t *body, size_t body_size,
		     struct sw_payload *payload)
{
	const size_t parts[PART_COUNT] = { body_size };

	memcpy(encoder->frame + SW_FRAME_HEAD_SIZE, fixed, fixed_size);
	pack_body(encoder, fixed_size, body, parts, payload);
}

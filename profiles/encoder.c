/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From rows as they lie in a tail to the payload of a frame: grouped by key,
 * turned into columns, packed.  Never gives up: what zstd cannot make smaller
 * is stored as it is, and rows that do not fit are left for the next frame.
 */
#define ZSTD_STATIC_LINKING_ONLY
#include "profiles/encoder.h"

#include <stdlib.h>
#include <zstd.h>

#include "profiles/stream.h"

enum {
	HEADS_MAX = 96 * 1024,
	HEADS_SIZE_SIZE = 4,
	BODY_SMALL = 48,	/* below this zstd's own head eats the gain */
	SLOT_COUNT_LOG = 13,
	SLOT_COUNT = 1 << SLOT_COUNT_LOG,	/* twice SW_FRAME_ROWS_MAX */
	FRAME_BUFFER_SIZE = SW_FRAME_HEAD_SIZE + SW_ROWS_FIXED_SIZE +
			    SW_PLAIN_MAX,
	GATHER_COLUMNS = 8,	/* at once: what a cache line holds of a row */
};

/* Rows of one key, then cut into runs. */
struct group {
	uint64_t key;
	uint32_t count;
	uint32_t at;	/* where its next row goes while rows are sorted */
};

struct sw_encoder {
	uint8_t plain[SW_PLAIN_MAX];
	union {
		uint8_t frame[FRAME_BUFFER_SIZE];
		/* Before there is a frame: some columns of the sorted rows. */
		uint64_t columns[GATHER_COLUMNS][SW_FRAME_ROWS_MAX];
	};
	const uint8_t *rows[SW_FRAME_ROWS_MAX];
	const uint8_t *sorted[SW_FRAME_ROWS_MAX];
	uint16_t group_of_row[SW_FRAME_ROWS_MAX];
	uint16_t slots[SLOT_COUNT];	/* group number plus 1 by hash of key */
	struct group groups[SW_FRAME_ROWS_MAX];
	uint16_t runs[SW_FRAME_ROWS_MAX];	/* rows of each run */
	size_t run_count;
	ZSTD_CCtx *zstd;
	size_t zstd_bytes;
	void *zstd_memory;
};

/*
 * Measured on noisy and on real counters (bench/): higher levels and wider
 * windows cost time and memory and save less than 1 %.
 */
static const struct {
	ZSTD_cParameter parameter;
	int value;
} zstd_settings[] = {
	{ ZSTD_c_compressionLevel, 1 },
	{ ZSTD_c_windowLog, 17 },
	{ ZSTD_c_hashLog, 13 },
	{ ZSTD_c_strategy, ZSTD_fast },
	{ ZSTD_c_contentSizeFlag, 0 },
};

#define ZSTD_SETTING_COUNT (sizeof(zstd_settings) / sizeof(zstd_settings[0]))

/* The context lives in memory of ours, so that it never allocates. */
static int open_zstd(struct sw_encoder *encoder)
{
	ZSTD_CCtx_params *params = ZSTD_createCCtxParams();

	if (!params)
		return -1;
	for (size_t i = 0; i < ZSTD_SETTING_COUNT; i++)
		ZSTD_CCtxParams_setParameter(params, zstd_settings[i].parameter,
					     zstd_settings[i].value);
	encoder->zstd_bytes = ZSTD_estimateCCtxSize_usingCCtxParams(params);
	ZSTD_freeCCtxParams(params);
	if (ZSTD_isError(encoder->zstd_bytes))
		return -1;
	encoder->zstd_memory = malloc(encoder->zstd_bytes);
	if (!encoder->zstd_memory)
		return -1;
	encoder->zstd = ZSTD_initStaticCCtx(encoder->zstd_memory,
					    encoder->zstd_bytes);
	if (!encoder->zstd)
		return -1;
	for (size_t i = 0; i < ZSTD_SETTING_COUNT; i++)
		if (ZSTD_isError(ZSTD_CCtx_setParameter(
			    encoder->zstd, zstd_settings[i].parameter,
			    zstd_settings[i].value)))
			return -1;
	return 0;
}

struct sw_encoder *sw_encoder_create(void)
{
	struct sw_encoder *encoder = calloc(1, sizeof(*encoder));

	if (encoder && open_zstd(encoder) < 0) {
		sw_encoder_destroy(encoder);
		return NULL;
	}
	return encoder;
}

void sw_encoder_destroy(struct sw_encoder *encoder)
{
	if (!encoder)
		return;
	free(encoder->zstd_memory);
	free(encoder);
}

size_t sw_encoder_bytes(const struct sw_encoder *encoder)
{
	return sizeof(*encoder) + encoder->zstd_bytes;
}

const uint8_t **sw_encoder_rows(struct sw_encoder *encoder)
{
	return encoder->rows;
}

static const uint8_t *row_slot(const uint8_t *row, size_t column)
{
	return row + SW_TAIL_ROW_HEAD_SIZE + column * SW_TAIL_SLOT_SIZE;
}

/* The group of a key, made when it is new. */
static uint16_t find_group(struct sw_encoder *encoder, uint64_t key,
			   uint16_t *group_count)
{
	size_t slot = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >>
			       (64 - SLOT_COUNT_LOG));

	while (encoder->slots[slot]) {
		uint16_t group = (uint16_t)(encoder->slots[slot] - 1);

		if (encoder->groups[group].key == key)
			return group;
		slot = (slot + 1) % SLOT_COUNT;
	}
	encoder->groups[*group_count] = (struct group){ .key = key };
	encoder->slots[slot] = ++*group_count;
	return (uint16_t)(*group_count - 1);
}

/* Rows of one key together, keys and rows in the order they came. */
static uint16_t sort_by_key(struct sw_encoder *encoder, int key_column,
			    size_t count)
{
	uint16_t group_count = 0;
	uint32_t at = 0;

	memset(encoder->slots, 0, sizeof(encoder->slots));
	for (size_t i = 0; i < count; i++) {
		uint64_t key = sw_get_u64(
			row_slot(encoder->rows[i], (size_t)key_column));

		encoder->group_of_row[i] =
			find_group(encoder, key, &group_count);
		encoder->groups[encoder->group_of_row[i]].count++;
	}
	for (uint16_t i = 0; i < group_count; i++) {
		encoder->groups[i].at = at;
		at += encoder->groups[i].count;
	}
	for (size_t i = 0; i < count; i++) {
		struct group *group =
			&encoder->groups[encoder->group_of_row[i]];

		encoder->sorted[group->at++] = encoder->rows[i];
	}
	return group_count;
}

/* Cut count rows into runs; returns how many. */
static size_t cut_runs(uint16_t *runs, size_t count)
{
	size_t run_count = 0;

	for (; count > 0; run_count++) {
		size_t rows = count < SW_RUN_ROWS_MAX ? count : SW_RUN_ROWS_MAX;

		runs[run_count] = (uint16_t)rows;
		count -= rows;
	}
	return run_count;
}

/* Sort, cut, and write down which runs are of which key. */
static bool put_directory(struct sw_encoder *encoder, int key_column,
			  size_t count, struct sw_stream_sink *sink)
{
	uint16_t groups = sort_by_key(encoder, key_column, count);
	uint64_t last = 0;

	encoder->run_count = 0;
	for (uint16_t i = 0; i < groups; i++)
		encoder->run_count +=
			cut_runs(encoder->runs + encoder->run_count,
				 encoder->groups[i].count);
	if (!sw_stream_put_varint(sink, encoder->run_count))
		return false;
	for (size_t i = 0, group = 0, left = 0; i < encoder->run_count; i++) {
		if (!left)
			left = encoder->groups[group++].count;
		if (!sw_stream_put_varint(
			    sink, sw_zigzag(encoder->groups[group - 1].key -
					    last)) ||
		    !sw_stream_put_varint(sink, encoder->runs[i]))
			return false;
		last = encoder->groups[group - 1].key;
		left -= encoder->runs[i];
	}
	return true;
}

/*
 * Columns from first on, as many as there is room for.  Rows lie far apart:
 * to fetch each of them once per column would take longer than to pack it.
 */
static void gather(struct sw_encoder *encoder, size_t first, size_t end,
		   size_t count)
{
	size_t columns = end - first;

	if (columns > GATHER_COLUMNS)
		columns = GATHER_COLUMNS;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *slot = row_slot(encoder->sorted[i], first);

		for (size_t j = 0; j < columns; j++)
			encoder->columns[j][i] =
				sw_get_u64(slot + j * SW_TAIL_SLOT_SIZE);
	}
}

static bool put_numbers(const struct sw_encoder *encoder,
			struct sw_stream_sink *sink, const uint64_t *values)
{
	uint64_t previous = 0;

	for (size_t run = 0; run < encoder->run_count; run++) {
		if (!sw_stream_encode(sink, values, encoder->runs[run],
				      &previous))
			return false;
		values += encoder->runs[run];
	}
	return true;
}

/* Lengths as numbers (0 is missing, else length plus 1), then the bytes. */
static bool put_texts(const struct sw_encoder *encoder,
		      struct sw_stream_sink *sink, size_t column, size_t count)
{
	uint64_t values[SW_RUN_ROWS_MAX];
	uint64_t previous = 0;

	for (size_t at = 0; at < count; at += SW_RUN_ROWS_MAX) {
		size_t run = count - at < SW_RUN_ROWS_MAX ? count - at :
							    SW_RUN_ROWS_MAX;

		for (size_t i = 0; i < run; i++)
			values[i] = sw_get_u32(
				row_slot(encoder->sorted[at + i], column));
		if (!sw_stream_encode(sink, values, run, &previous))
			return false;
	}
	for (size_t i = 0; i < count; i++) {
		const uint8_t *row = encoder->sorted[i];
		const uint8_t *slot = row_slot(row, column);
		size_t length = sw_get_u32(slot);

		if (length <= 1)
			continue;
		if ((size_t)(sink->data_end - sink->data) < length - 1)
			return false;
		memcpy(sink->data, row + sw_get_u32(slot + 4), length - 1);
		sink->data += length - 1;
	}
	return true;
}

/* All columns of the first count rows; 0 where they do not fit. */
static size_t put_body(struct sw_encoder *encoder,
		       const struct sw_row_shape *shape, size_t count)
{
	uint8_t *heads = encoder->plain + HEADS_SIZE_SIZE;
	uint8_t *data = heads + HEADS_MAX;
	struct sw_stream_sink sink = {
		.head = heads,
		.head_end = heads + HEADS_MAX,
		.data = data,
		.data_end = encoder->plain + sizeof(encoder->plain),
	};
	bool is_fit = true;

	if (shape->key_column >= 0) {
		is_fit = put_directory(encoder, shape->key_column, count,
				       &sink);
	} else {
		memcpy(encoder->sorted, encoder->rows,
		       count * sizeof(encoder->rows[0]));
		encoder->run_count = cut_runs(encoder->runs, count);
	}
	for (size_t i = 0; is_fit && i < shape->column_count; i++) {
		if (i % GATHER_COLUMNS == 0)
			gather(encoder, i, shape->column_count, count);
		if ((int)i == shape->key_column)
			continue;
		is_fit = shape->is_text[i] ?
			 put_texts(encoder, &sink, i, count) :
			 put_numbers(encoder, &sink,
				     encoder->columns[i % GATHER_COLUMNS]);
	}
	if (!is_fit)
		return 0;
	sw_put_u32(encoder->plain, (uint32_t)(sink.head - heads));
	memmove(sink.head, data, (size_t)(sink.data - data));
	return (size_t)(sink.head - encoder->plain) +
	       (size_t)(sink.data - data);
}

/* Put the body behind the fixed part of a payload, smaller if it can be. */
static void pack_body(struct sw_encoder *encoder, size_t fixed_size,
		      const uint8_t *body, size_t body_size,
		      struct sw_payload *payload)
{
	uint8_t *at = encoder->frame + SW_FRAME_HEAD_SIZE + fixed_size;
	size_t packed = 0;

	if (body_size >= BODY_SMALL) {
		packed = ZSTD_compress2(encoder->zstd, at, body_size - 1, body,
					body_size);
		if (ZSTD_isError(packed))
			packed = 0;
	}
	if (!packed && body_size)
		memcpy(at, body, body_size);
	payload->frame = encoder->frame;
	payload->size_bytes = fixed_size + (packed ? packed : body_size);
	payload->flags = packed ? SW_FRAME_FLAG_ZSTD : 0;
}

size_t sw_encoder_encode(struct sw_encoder *encoder,
			 const struct sw_row_shape *shape, size_t count,
			 struct sw_payload *payload)
{
	uint8_t *fixed = encoder->frame + SW_FRAME_HEAD_SIZE;
	size_t size = put_body(encoder, shape, count);
	const uint8_t *first = encoder->rows[0];
	const uint8_t *last;

	/* A single row always fits: the tail takes none that does not. */
	while (!size && count > 1) {
		count /= 2;
		size = put_body(encoder, shape, count);
	}
	last = encoder->rows[count - 1];
	memset(fixed, 0, SW_ROWS_FIXED_SIZE);
	sw_put_u16(fixed, shape->table);
	sw_put_u32(fixed + 4, (uint32_t)count);
	memcpy(fixed + 8, first + 16, 8);	/* generation and ordinal */
	sw_put_u32(fixed + 16, (uint32_t)size);
	memcpy(fixed + 24, first + 24, 8);
	memcpy(fixed + 32, last + 24, 8);
	pack_body(encoder, SW_ROWS_FIXED_SIZE, encoder->plain, size, payload);
	return count;
}

void sw_encoder_wrap(struct sw_encoder *encoder, const uint8_t *fixed,
		     size_t fixed_size, const uint8_t *body, size_t body_size,
		     struct sw_payload *payload)
{
	memcpy(encoder->frame + SW_FRAME_HEAD_SIZE, fixed, fixed_size);
	pack_body(encoder, fixed_size, body, body_size, payload);
}

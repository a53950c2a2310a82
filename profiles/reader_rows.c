/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a rows frame, as format 1.0 has them, to columns.  A frame that does
 * not decode to its last byte gives no row at all.
 */
#include "profiles/reader_internal.h"

#include <errno.h>
#include <stdlib.h>

#include "profiles/grouping.h"
#include "profiles/stream.h"

struct block {
	struct sw_reader_data *table;
	struct sw_stream_source source;
	size_t count;
	size_t run_count;
	uint32_t generation;
	uint32_t first_row;
	uint64_t first_usec;
	uint64_t last_usec;
};

bool sw_reader_unpack(struct sw_reader *reader, const uint8_t *body,
		      size_t size, bool is_packed, size_t plain_size)
{
	size_t got;

	if (plain_size > SW_PLAIN_MAX ||
	    !sw_reader_spend(reader, &reader->plain_left, plain_size))
		return false;
	memset(reader->plain + plain_size, 0, SW_PLAIN_SLACK);
	if (!is_packed) {
		if (size != plain_size)
			return false;
		memcpy(reader->plain, body, size);
		return true;
	}
	got = ZSTD_decompressDCtx(reader->zstd, reader->plain, plain_size, body,
				  size);
	return !ZSTD_isError(got) && got == plain_size;
}

/* The least a row takes in a tail: what bounds the rows of a block. */
static size_t row_bytes(const struct sw_definition *definition)
{
	return SW_TAIL_ROW_HEAD_SIZE +
	       definition->column_count * SW_TAIL_SLOT_SIZE;
}

/* The fixed part and the two regions of the body. */
static bool open_block(struct sw_reader *reader,
		       const struct sw_stretch *stretch, struct block *block)
{
	const uint8_t *fixed =
		reader->file.at + stretch->offset + SW_FRAME_HEAD_SIZE;
	size_t size = (size_t)stretch->length - SW_FRAME_HEAD_SIZE;
	size_t plain_size, heads_size;

	if (size < SW_ROWS_FIXED_SIZE ||
	    sw_get_u16(fixed) >= SW_PROFILE_TABLES_MAX)
		return false;
	block->table = &reader->tables[sw_get_u16(fixed)];
	block->count = sw_get_u32(fixed + 4);
	block->generation = sw_get_u32(fixed + 8);
	block->first_row = sw_get_u32(fixed + 12);
	plain_size = sw_get_u32(fixed + 16);
	block->first_usec = sw_get_u64(fixed + 24);
	block->last_usec = sw_get_u64(fixed + 32);
	if (!block->table->definition || block->count == 0 ||
	    block->count > SW_FRAME_ROWS_MAX || plain_size < 4 ||
	    block->count * row_bytes(block->table->definition) >
		    SW_BLOCK_BYTES_MAX ||
	    block->count > block->table->row_capacity - block->table->row_count)
		return false;
	if (!sw_reader_unpack(reader, fixed + SW_ROWS_FIXED_SIZE,
			      size - SW_ROWS_FIXED_SIZE,
			      stretch->flags & SW_FRAME_FLAG_ZSTD, plain_size))
		return false;
	heads_size = sw_get_u32(reader->plain);
	if (heads_size > plain_size - 4)
		return false;
	block->source.head = reader->plain + 4;
	block->source.head_end = block->source.head + heads_size;
	/* Nothing has high bytes; an empty region, not none, to count from. */
	block->source.high = block->source.head_end;
	block->source.high_end = block->source.high;
	block->source.data = block->source.head_end;
	block->source.data_end = reader->plain + plain_size;
	return true;
}

/* The runs of a table with a key, which also are that column. */
static bool read_directory(struct sw_reader *reader, struct block *block,
			   uint64_t *keys)
{
	uint64_t runs, key = 0;
	size_t at = 0;

	if (!sw_stream_get_varint(&block->source, &runs) || runs > block->count)
		return false;
	for (block->run_count = 0; block->run_count < runs;
	     block->run_count++) {
		uint64_t step, rows;

		if (!sw_stream_get_varint(&block->source, &step) ||
		    !sw_stream_get_varint(&block->source, &rows) || rows == 0 ||
		    rows > SW_RUN_ROWS_MAX || rows > block->count - at)
			return false;
		key += sw_unzigzag(step);
		reader->runs[block->run_count] = (uint16_t)rows;
		for (uint64_t i = 0; i < rows; i++)
			keys[at++] = key;
	}
	return at == block->count;
}

static bool read_numbers(struct block *block, const uint16_t *runs,
			 size_t run_count, uint64_t *values)
{
	uint64_t previous = 0;

	for (size_t i = 0; i < run_count; i++) {
		if (!sw_stream_decode_v1(&block->source, values, runs[i],
					 &previous))
			return false;
		values += runs[i];
	}
	return true;
}

/* One text; the same as the one before it is kept once. */
static int read_text(struct sw_reader *reader, struct sw_stream_source *source,
		     uint64_t code, const char **last, const char **text)
{
	size_t length = (size_t)code - 1;

	*text = NULL;
	if (code == 0)
		return 1;
	if (code > SW_TEXT_SIZE_MAX ||
	    length > (size_t)(source->data_end - source->data) ||
	    memchr(source->data, 0, length))
		return 0;
	if (!*last || strncmp(*last, (const char *)source->data, length) != 0 ||
	    (*last)[length])
		*last = sw_reader_keep_text(reader, source->data, length);
	if (!*last)
		return -1;
	source->data += length;
	*text = *last;
	return 1;
}

int sw_reader_take_texts(struct sw_reader *reader,
			 struct sw_stream_source *source,
			 const uint64_t *lengths, size_t count,
			 const char **texts)
{
	const char *last = NULL;

	for (size_t i = 0; i < count; i++) {
		int status =
			read_text(reader, source, lengths[i], &last, &texts[i]);

		if (status <= 0)
			return status;
	}
	return 1;
}

static int read_texts(struct sw_reader *reader, struct block *block,
		      const char **texts)
{
	uint16_t runs[SW_FRAME_ROWS_MAX / SW_RUN_ROWS_MAX];
	size_t run_count = sw_grouping_cut(runs, block->count);
	uint64_t lengths[SW_FRAME_ROWS_MAX];

	if (!read_numbers(block, runs, run_count, lengths))
		return 0;
	return sw_reader_take_texts(reader, &block->source, lengths,
				    block->count, texts);
}

static int read_columns(struct sw_reader *reader, struct block *block)
{
	struct sw_reader_data *table = block->table;
	size_t count = table->definition->column_count;
	size_t at = table->row_count;
	size_t key = 0;

	while (key < count && table->columns[key].kind != SW_KIND_KEY)
		key++;
	if (key == count)
		block->run_count = sw_grouping_cut(reader->runs, block->count);
	else if (!read_directory(reader, block, table->numbers[key] + at))
		return 0;
	for (size_t i = 0; i < count; i++) {
		int status = 1;

		if (i == key)
			continue;
		if (table->texts[i])
			status =
				read_texts(reader, block, table->texts[i] + at);
		else if (!read_numbers(block, reader->runs, block->run_count,
				       table->numbers[i] + at))
			status = 0;
		if (status <= 0)
			return status;
	}
	return block->source.head == block->source.head_end &&
	       block->source.data == block->source.data_end;
}

void sw_reader_mark_in_file(const struct sw_reader *reader,
			    struct sw_reader_data *table, uint32_t generation,
			    uint32_t first_row, size_t count)
{
	uint64_t *bits = table->in_file;

	if (!bits || generation != reader->tail_generation)
		return;
	for (size_t i = 0; i < count; i++) {
		size_t row = (size_t)first_row + i;

		if (row < SW_BLOCK_ROWS_MAX)
			bits[row / 64] |= UINT64_C(1) << (row % 64);
	}
}

int sw_reader_take_rows(struct sw_reader *reader,
			const struct sw_stretch *stretch)
{
	struct block block = {0};
	int status;

	if (!open_block(reader, stretch, &block))
		return 0;
	status = read_columns(reader, &block);
	if (status <= 0)
		return status;
	block.table->row_count += block.count;
	sw_reader_mark_in_file(reader, block.table, block.generation,
			       block.first_row, block.count);
	sw_reader_note_times(reader, block.first_usec, block.last_usec);
	return 1;
}

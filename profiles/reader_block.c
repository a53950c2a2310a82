/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decode a block frame into columns of several tables.  A frame that does not
 * decode to its last byte yields no rows for any table.
 */
#include "profiles/reader_internal.h"

#include "profiles/stream.h"

struct block {
	const uint8_t *directory;
	const uint8_t *directory_end;
	size_t section_count;
	struct sw_stream_source source;
	uint32_t generation;
	uint64_t first_usec;
	uint64_t last_usec;
};

/* The rows of one table in a block. */
struct section {
	size_t table;
	size_t count;
	uint32_t first_row;
};

static bool get_number(const uint8_t **at, const uint8_t *end, uint64_t *number)
{
	struct sw_stream_source source = { .head = *at, .head_end = end };

	if (!sw_stream_get_varint(&source, number))
		return false;
	*at = source.head;
	return true;
}

static bool next_section(struct block *block, struct section *section)
{
	uint64_t table, count, first;

	if (!get_number(&block->directory, block->directory_end, &table) ||
	    !get_number(&block->directory, block->directory_end, &count) ||
	    !get_number(&block->directory, block->directory_end, &first) ||
	    table >= SW_PROFILE_TABLES_MAX || count == 0 ||
	    count > SW_FRAME_ROWS_MAX || first > UINT32_MAX)
		return false;
	*section = (struct section){ .table = (size_t)table,
				     .count = (size_t)count,
				     .first_row = (uint32_t)first };
	return true;
}

/* Check the fixed part and find the end of the directory. */
static bool open_fixed(const struct sw_reader *reader,
		       const struct sw_stretch *stretch, struct block *block)
{
	const uint8_t *fixed =
		reader->file.at + stretch->offset + SW_FRAME_HEAD_SIZE;
	size_t size = (size_t)stretch->length - SW_FRAME_HEAD_SIZE;

	if (size < SW_BLOCK_FIXED_SIZE ||
	    sw_get_u16(fixed + 8) > size - SW_BLOCK_FIXED_SIZE)
		return false;
	block->generation = sw_get_u32(fixed);
	block->directory = fixed + SW_BLOCK_FIXED_SIZE;
	block->directory_end = block->directory + sw_get_u16(fixed + 8);
	block->section_count = sw_get_u16(fixed + 10);
	block->first_usec = sw_get_u64(fixed + 16);
	block->last_usec = sw_get_u64(fixed + 24);
	return block->section_count > 0 &&
	       block->section_count <= SW_BLOCK_SECTIONS_MAX;
}

static void count_section(struct sw_reader_data *table, size_t count)
{
	if (table->section_rows < count)
		table->section_rows = count;
	if (!table->is_unwanted) {
		table->row_capacity += count;
		return;
	}
	/* Room for the rows of one block, reused for the next. */
	table->block_rows += count;
	if (table->block_rows > table->row_capacity)
		table->row_capacity = table->block_rows;
}

void sw_reader_count_block(struct sw_reader *reader,
			   struct sw_stretch *stretch)
{
	struct block block = { 0 }, again;
	struct section section;
	bool has_wanted = !reader->no_series && !reader->no_others;

	if (!open_fixed(reader, stretch, &block))
		return;
	again = block;
	for (size_t i = 0; !has_wanted && i < block.section_count; i++)
		has_wanted = !next_section(&block, &section) ||
			     !reader->tables[section.table].is_unwanted;
	stretch->is_unwanted = !has_wanted;
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++)
		reader->tables[i].block_rows = 0;
	for (size_t i = 0; has_wanted && i < again.section_count; i++) {
		if (!next_section(&again, &section))
			return;
		count_section(&reader->tables[section.table], section.count);
	}
}

/* Find the three regions of the body. */
static bool open_body(struct sw_reader *reader,
		      const struct sw_stretch *stretch, struct block *block)
{
	const uint8_t *fixed =
		reader->file.at + stretch->offset + SW_FRAME_HEAD_SIZE;
	const uint8_t *end = fixed + stretch->length - SW_FRAME_HEAD_SIZE;
	const uint8_t *body = block->directory_end;
	size_t size = sw_get_u32(fixed + 4);
	size_t heads, high;

	if (size < SW_BLOCK_HEAD_SIZE ||
	    !sw_reader_unpack(reader, body, (size_t)(end - body),
			      stretch->flags & SW_FRAME_FLAG_ZSTD, size))
		return false;
	size -= SW_BLOCK_HEAD_SIZE;
	heads = sw_get_u32(reader->plain);
	high = sw_get_u32(reader->plain + 4);
	if (heads > size || high > size - heads)
		return false;
	block->source.head = reader->plain + SW_BLOCK_HEAD_SIZE;
	block->source.head_end = block->source.head + heads;
	block->source.high = block->source.head_end;
	block->source.high_end = block->source.high + high;
	block->source.data = block->source.high_end;
	block->source.data_end = reader->plain + SW_BLOCK_HEAD_SIZE + size;
	return true;
}

/* Is there room for the rows, and could a tail have held them? */
static bool is_possible(const struct sw_reader_data *table, size_t count,
			size_t *bytes_left)
{
	size_t bytes;

	if (!table->definition || count > table->section_rows ||
	    count > table->row_capacity - table->row_count)
		return false;
	bytes = count * (SW_TAIL_ROW_HEAD_SIZE +
			 table->definition->column_count * SW_TAIL_SLOT_SIZE);
	if (bytes > *bytes_left)
		return false;
	*bytes_left -= bytes;
	return true;
}

static int read_sections(struct sw_reader *reader, struct block *block,
			 struct section *sections)
{
	size_t bytes_left = SW_BLOCK_BYTES_MAX;

	for (size_t i = 0; i < block->section_count; i++) {
		struct section *section = &sections[i];
		struct sw_reader_data *table;
		int status;

		if (!next_section(block, section))
			return 0;
		table = &reader->tables[section->table];
		if (!is_possible(table, section->count, &bytes_left))
			return 0;
		status = sw_reader_take_section(reader, table, section->count,
						&block->source);
		if (status <= 0)
			return status;
		table->row_count += section->count;
	}
	return 1;
}

static bool is_used_up(const struct block *block)
{
	return block->directory == block->directory_end &&
	       block->source.head == block->source.head_end &&
	       block->source.high == block->source.high_end &&
	       block->source.data == block->source.data_end;
}

int sw_reader_take_block(struct sw_reader *reader,
			 const struct sw_stretch *stretch)
{
	struct section sections[SW_BLOCK_SECTIONS_MAX];
	size_t before[SW_PROFILE_TABLES_MAX];
	struct block block = { 0 };
	int status;

	if (!open_fixed(reader, stretch, &block) ||
	    !open_body(reader, stretch, &block))
		return 0;
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++)
		before[i] = reader->tables[i].row_count;
	sw_reader_begin_block(reader);
	status = read_sections(reader, &block, sections);
	if (status > 0 && !is_used_up(&block))
		status = 0;
	if (status <= 0) {
		for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++)
			reader->tables[i].row_count = before[i];
		return status;
	}
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++)
		if (reader->tables[i].is_unwanted)
			reader->tables[i].row_count = 0;
	for (size_t i = 0; i < block.section_count; i++)
		sw_reader_mark_in_file(reader,
				       &reader->tables[sections[i].table],
				       block.generation, sections[i].first_row,
				       sections[i].count);
	sw_reader_note_times(reader, block.first_usec, block.last_usec);
	return 1;
}

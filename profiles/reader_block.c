/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a block frame to columns of several tables.  A frame that does not
 * decode to its last byte gives no row at all, of none of its tables.
 */
#include "profiles/reader_internal.h"

#include <stdlib.h>

#include "profiles/grouping.h"
#include "profiles/stream.h"
#include "profiles/ticks.h"

enum { BESIDE_BUFFERS = 3 };

struct sw_reader_scratch {
	struct sw_ticks ticks;
	struct sw_grouping grouping;
	uint16_t order[SW_FRAME_ROWS_MAX];
	uint16_t runs[SW_FRAME_ROWS_MAX];
	uint16_t key_rows[SW_FRAME_ROWS_MAX];
	/* Columns of grouped rows, before they are put where they belong. */
	uint64_t time[SW_FRAME_ROWS_MAX];
	uint64_t columns[BESIDE_BUFFERS][SW_FRAME_ROWS_MAX];
};

struct block {
	const uint8_t *directory;
	const uint8_t *directory_end;
	size_t section_count;
	struct sw_stream_source source;
	uint32_t generation;
	uint64_t first_usec;
	uint64_t last_usec;
};

/* A table's rows in a block. */
struct section {
	size_t table;
	size_t count;
	uint32_t first_row;
};

/* One of them, while it is decoded. */
struct decoding {
	struct sw_reader *reader;
	struct sw_reader_data *table;
	struct sw_reader_scratch *scratch;
	struct sw_stream_source *source;
	size_t count;
	size_t key_count;
	size_t run_count;
	size_t first_count; /* rows of the first group */
	bool is_grouped;
	const uint64_t *time;
	const uint64_t *last;
	const uint64_t *second_last;
	size_t buffer; /* which is next, of the scratch's columns */
};

bool sw_reader_make_scratch(struct sw_reader *reader)
{
	reader->scratch = malloc(sizeof(*reader->scratch));
	return reader->scratch;
}

static bool get_number(const uint8_t **at, const uint8_t *end, uint64_t *number)
{
	struct sw_stream_source source = {.head = *at, .head_end = end};

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
	*section = (struct section){.table = (size_t)table,
				    .count = (size_t)count,
				    .first_row = (uint32_t)first};
	return true;
}

/* The fixed part; what follows the directory is at directory_end. */
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
	/* Room for those of one block, which the next takes again. */
	table->block_rows += count;
	if (table->block_rows > table->row_capacity)
		table->row_capacity = table->block_rows;
}

void sw_reader_count_block(struct sw_reader *reader,
			   struct sw_stretch *stretch)
{
	struct block block = {0}, again;
	struct section section;
	bool has_wanted = !reader->no_series;

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

/* The three regions of the body. */
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

/* Each key by itself: how rows are given back. */
static void cut_by_key(struct decoding *decoding)
{
	decoding->run_count = 0;
	for (size_t i = 0; i < decoding->key_count; i++)
		decoding->run_count += sw_grouping_cut(
			decoding->scratch->runs + decoding->run_count,
			decoding->scratch->key_rows[i]);
	decoding->first_count = decoding->scratch->key_rows[0];
}

static bool read_keys(struct decoding *decoding, uint64_t *keys)
{
	uint64_t groups, key = 0;
	size_t at = 0;

	if (!sw_stream_get_varint(decoding->source, &groups) || groups == 0 ||
	    groups > decoding->count)
		return false;
	decoding->key_count = (size_t)groups;
	for (size_t i = 0; i < groups; i++) {
		uint64_t step, rows;

		if (!sw_stream_get_varint(decoding->source, &step) ||
		    !sw_stream_get_varint(decoding->source, &rows) ||
		    rows == 0 || rows > decoding->count - at)
			return false;
		key += sw_unzigzag(step);
		decoding->scratch->key_rows[i] = (uint16_t)rows;
		for (uint64_t j = 0; j < rows; j++)
			keys[at++] = key;
	}
	return at == decoding->count;
}

static bool read_runs(struct decoding *decoding, uint64_t *values)
{
	uint64_t previous = 0;

	for (size_t run = 0, at = 0; run < decoding->run_count; run++) {
		const struct sw_stream_beside beside = {
			decoding->time ? decoding->time + at : NULL,
			decoding->last ? decoding->last + at : NULL,
			decoding->second_last ? decoding->second_last + at
					      : NULL,
		};
		size_t rows = decoding->scratch->runs[run];

		if (!sw_stream_decode(decoding->source, values + at, rows,
				      &beside, &previous))
			return false;
		at += rows;
	}
	return true;
}

/* The order of columns where groups are apart, from the column that says. */
static void order_by_group(struct decoding *decoding, const uint64_t *values)
{
	struct sw_reader_scratch *scratch = decoding->scratch;
	struct sw_grouping *grouping = &scratch->grouping;

	decoding->run_count = 0;
	for (size_t i = 0, at = 0; i < decoding->key_count; i++) {
		size_t rows = scratch->key_rows[i];

		sw_grouping_make(grouping, values + at, rows,
				 scratch->order + at);
		for (size_t j = 0; j < rows; j++)
			scratch->order[at + j] =
				(uint16_t)(scratch->order[at + j] + at);
		if (i == 0)
			decoding->first_count = grouping->groups[0].count;
		decoding->run_count += sw_grouping_cut_all(
			grouping, scratch->runs + decoding->run_count);
		at += rows;
	}
}

/* *group_column is the number of columns where there is none. */
static bool read_groups(struct decoding *decoding, size_t key_column,
			size_t *group_column)
{
	struct sw_reader_data *table = decoding->table;
	uint64_t number;
	uint64_t *values;

	if (!sw_stream_get_varint(decoding->source, &number) ||
	    number > *group_column)
		return false;
	if (number == 0)
		return true;
	*group_column = (size_t)number - 1;
	if (*group_column == key_column || table->texts[*group_column])
		return false;
	values = sw_reader_next(table, *group_column);
	if (!read_runs(decoding, values))
		return false;
	order_by_group(decoding, values);
	decoding->is_grouped = true;
	return true;
}

static bool read_times(struct decoding *decoding, uint64_t *values)
{
	struct sw_ticks *ticks = &decoding->scratch->ticks;
	bool is_first = !ticks->count;
	uint64_t previous = 0;

	for (size_t run = 0, at = 0; run < decoding->run_count; run++) {
		size_t rows = decoding->scratch->runs[run];

		if (!sw_ticks_decode(decoding->source, values + at, rows, ticks,
				     &previous))
			return false;
		if (is_first && at < decoding->first_count)
			sw_ticks_add(ticks, values + at, rows);
		at += rows;
	}
	return true;
}

/* Grouped columns are decoded aside, and the last two stay there. */
static uint64_t *place_for(struct decoding *decoding, uint64_t *values,
			   bool is_time)
{
	uint64_t *place;

	if (!decoding->is_grouped)
		return values;
	if (is_time && !decoding->time)
		return decoding->scratch->time;
	do {
		decoding->buffer = (decoding->buffer + 1) % BESIDE_BUFFERS;
		place = decoding->scratch->columns[decoding->buffer];
	} while (place == decoding->last || place == decoding->second_last);
	return place;
}

static bool read_number_column(struct decoding *decoding, size_t column)
{
	struct sw_reader_data *table = decoding->table;
	bool is_time = table->columns[column].kind == SW_KIND_TIME;
	uint64_t *values = sw_reader_next(table, column);
	uint64_t *place = place_for(decoding, values, is_time);

	if (!(is_time ? read_times(decoding, place)
		      : read_runs(decoding, place)))
		return false;
	if (is_time && !decoding->time)
		decoding->time = place;
	decoding->second_last = decoding->last;
	decoding->last = place;
	if (decoding->is_grouped && !table->is_passed[column])
		for (size_t i = 0; i < decoding->count; i++)
			values[decoding->scratch->order[i]] = place[i];
	return true;
}

static int read_text_column(struct decoding *decoding, size_t column)
{
	static const struct sw_stream_beside nothing;
	uint64_t lengths[SW_FRAME_ROWS_MAX];
	uint64_t previous = 0;

	for (size_t at = 0; at < decoding->count; at += SW_RUN_ROWS_MAX) {
		size_t rows = decoding->count - at;

		if (rows > SW_RUN_ROWS_MAX)
			rows = SW_RUN_ROWS_MAX;
		if (!sw_stream_decode(decoding->source, lengths + at, rows,
				      &nothing, &previous))
			return 0;
	}
	return sw_reader_take_texts(
		decoding->reader, decoding->source, lengths, decoding->count,
		decoding->table->texts[column] + decoding->table->row_count);
}

static size_t find_key(const struct sw_reader_data *table)
{
	size_t key = 0;

	while (key < table->definition->column_count &&
	       table->columns[key].kind != SW_KIND_KEY)
		key++;
	return key;
}

/* The order of rows; false where it is damaged. */
static bool read_order(struct decoding *decoding, size_t key_column,
		       size_t *group_column)
{
	struct sw_reader_data *table = decoding->table;
	bool has_key = key_column < table->definition->column_count;

	decoding->key_count = 1;
	decoding->scratch->key_rows[0] = (uint16_t)decoding->count;
	if (has_key &&
	    !read_keys(decoding, sw_reader_next(table, key_column)))
		return false;
	cut_by_key(decoding);
	return !has_key || read_groups(decoding, key_column, group_column);
}

static int read_section(struct decoding *decoding)
{
	struct sw_reader_data *table = decoding->table;
	size_t count = table->definition->column_count;
	size_t key = find_key(table);
	size_t group = count;

	if (!read_order(decoding, key, &group))
		return 0;
	for (size_t i = 0; i < count; i++) {
		int status = 1;

		if (i == key || i == group)
			continue;
		if (table->texts[i])
			status = read_text_column(decoding, i);
		else if (!read_number_column(decoding, i))
			status = 0;
		if (status <= 0)
			return status;
	}
	return 1;
}

/* Is there room for the rows, and can a tail have held them? */
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
		struct decoding decoding = {
			.reader = reader,
			.scratch = reader->scratch,
			.source = &block->source,
		};
		int status;

		if (!next_section(block, section))
			return 0;
		decoding.table = &reader->tables[section->table];
		decoding.count = section->count;
		if (!is_possible(decoding.table, section->count, &bytes_left))
			return 0;
		status = read_section(&decoding);
		if (status <= 0)
			return status;
		decoding.table->row_count += section->count;
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
	struct block block = {0};
	int status;

	if (!open_fixed(reader, stretch, &block) ||
	    !open_body(reader, stretch, &block))
		return 0;
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++)
		before[i] = reader->tables[i].row_count;
	reader->scratch->ticks.count = 0;
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

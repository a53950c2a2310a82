/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read the rows of a block that its writer never closed.  Rows of older blocks
 * may follow them: only the latest generation counts, and only its rows that
 * are in no frame.
 */
#include "profiles/reader_internal.h"

#include <stdlib.h>

enum { WASTE_MAX = 64 << 20 };

/* Return the length of the good row at offset, 0 if there is none. */
static size_t row_at(const struct sw_reader *reader, size_t offset,
		     size_t *waste)
{
	const uint8_t *row = reader->tail.at + offset;
	size_t room = reader->tail.size - offset;
	size_t length;

	if (room < SW_TAIL_ROW_HEAD_SIZE ||
	    sw_get_u16(row + 6) != SW_TAIL_ROW_MAGIC ||
	    sw_get_u16(row + 4) > SW_TAIL_DEFINITION)
		return 0;
	length = sw_get_u32(row);
	if (length < SW_TAIL_ROW_HEAD_SIZE || length > room || length % 8 ||
	    length > *waste)
		return 0;
	if (sw_layout_checksum(reader->id, row, 8, row + 16, length - 16) !=
	    sw_get_u64(row + 8)) {
		*waste -= length;
		return 0;
	}
	return length;
}

static int note_damage(struct sw_reader *reader, size_t from, size_t to,
		       size_t used_end)
{
	if (to > used_end)
		to = used_end;
	if (from >= to)
		return 0;
	return sw_reader_note_gap(reader, reader->file.size + from, to - from);
}

/* Collect the rows of the latest generation so far in tail_rows. */
static void keep_row(struct sw_reader *reader, size_t offset)
{
	uint32_t generation = sw_get_u32(reader->tail.at + offset + 16);

	if (generation < reader->tail_generation)
		return;
	if (generation > reader->tail_generation)
		reader->tail_row_count = 0;
	reader->tail_generation = generation;
	reader->tail_rows[reader->tail_row_count++] = (uint32_t)offset;
}

/* Use the head only if it belongs to this file. */
static void read_head(struct sw_reader *reader, size_t *used_end)
{
	const uint8_t *head = reader->tail.at;
	uint64_t used = sw_get_u64(head + SW_TAIL_AT_USED);

	if (sw_get_u32(head + SW_TAIL_AT_MAGIC) != SW_TAIL_MAGIC ||
	    sw_get_u64(head + SW_TAIL_AT_ID) != reader->id)
		return;
	if (used <= reader->tail.size - SW_TAIL_HEAD_SIZE)
		*used_end = SW_TAIL_HEAD_SIZE + (size_t)used;
	reader->tail_file_end = sw_get_u64(head + SW_TAIL_AT_FILE_END);
	reader->health.rows_dropped = sw_get_u64(head + SW_TAIL_AT_DROPPED);
}

int sw_reader_scan_tail(struct sw_reader *reader)
{
	size_t waste = WASTE_MAX, used_end = 0;
	size_t offset = SW_TAIL_HEAD_SIZE, good_end = offset;

	if (reader->tail.size <= SW_TAIL_HEAD_SIZE)
		return 0;
	read_head(reader, &used_end);
	reader->tail_rows = calloc(reader->tail.size / SW_TAIL_ROW_HEAD_SIZE,
				   sizeof(reader->tail_rows[0]));
	if (!reader->tail_rows)
		return -1;
	while (offset + SW_TAIL_ROW_HEAD_SIZE <= reader->tail.size) {
		size_t length = row_at(reader, offset, &waste);

		if (!length) {
			offset += 8;
			continue;
		}
		if (note_damage(reader, good_end, offset, used_end) < 0)
			return -1;
		keep_row(reader, offset);
		offset += length;
		good_end = offset;
	}
	return note_damage(reader, good_end, reader->tail.size, used_end);
}

static bool is_in_file(const struct sw_reader_data *table, uint32_t ordinal)
{
	return table->in_file && ordinal < SW_BLOCK_ROWS_MAX &&
	       table->in_file[ordinal / 64] >> (ordinal % 64) & 1;
}

/* As read_text() of a frame, from a slot of a row. */
static int take_text(struct sw_reader *reader, const uint8_t *row,
		     size_t row_bytes, const uint8_t *slot, const char **text)
{
	size_t code = sw_get_u32(slot);
	size_t at = sw_get_u32(slot + 4);

	*text = NULL;
	if (code == 0)
		return 1;
	if (code > SW_TEXT_SIZE_MAX || at > row_bytes ||
	    code - 1 > row_bytes - at)
		return 0;
	return sw_reader_take_text(reader, row + at, code - 1, text);
}

/*
 * Return 1 if the row was taken, 0 if it does not fit its table, -1 on error.
 */
static int take_row(struct sw_reader *reader, const uint8_t *row)
{
	struct sw_reader_data *table = &reader->tables[sw_get_u16(row + 4)];
	const uint8_t *slot = row + SW_TAIL_ROW_HEAD_SIZE;
	size_t row_bytes = sw_get_u32(row);
	size_t at = table->row_count;

	if (!table->definition || at == table->row_capacity ||
	    row_bytes < SW_TAIL_ROW_HEAD_SIZE +
			table->definition->column_count * SW_TAIL_SLOT_SIZE)
		return 0;
	for (size_t i = 0; i < table->definition->column_count;
	     i++, slot += SW_TAIL_SLOT_SIZE) {
		int status = 1;

		if (table->texts[i])
			status = take_text(
				reader, row, row_bytes, slot,
				&table->texts[i][table->is_passed[i] ? 0 : at]);
		else
			*sw_reader_next(table, i) = sw_get_u64(slot);
		if (status <= 0)
			return status;
	}
	table->row_count++;
	return 1;
}

int sw_reader_take_tail(struct sw_reader *reader)
{
	for (size_t i = 0; i < reader->tail_row_count; i++) {
		const uint8_t *row = reader->tail.at + reader->tail_rows[i];
		uint64_t usec = sw_get_u64(row + 24);
		int status;

		if (sw_reader_is_definition(reader, reader->tail_rows[i]) ||
		    reader->tables[sw_get_u16(row + 4)].is_unwanted)
			continue;
		if (is_in_file(&reader->tables[sw_get_u16(row + 4)],
			       sw_get_u32(row + 20)))
			continue;
		status = take_row(reader, row);
		if (status < 0)
			return -1;
		if (status == 0 &&
		    sw_reader_note_gap(reader,
				       reader->file.size + reader->tail_rows[i],
				       sw_get_u32(row)) < 0)
			return -1;
		if (status == 0)
			continue;
		reader->health.is_from_tail = true;
		sw_reader_note_times(reader, usec, usec);
	}
	return 0;
}

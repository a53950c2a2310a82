/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz the reader.  An input is one byte of flags, the tail's size in two
 * bytes, the file, and the tail.  Flag 1 repairs all checksums before reading,
 * so that a mutation gets past them; flag 2 leaves the series out.  The first
 * page of the tail is given as its first 64 bytes only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiles/reader_internal.h"
#include "test/fuzz/repair.h"

enum {
	INPUT_HEAD_SIZE = 3,
	FLAG_REPAIR = 1,
	FLAG_NO_SERIES = 2,
	TAIL_HEAD_GIVEN = 64,
	VALUES_MAX = 64 << 20,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

static void repair_tail(uint8_t *tail, size_t size, uint64_t id)
{
	size_t at = SW_TAIL_HEAD_SIZE;

	sw_put_u64(tail + SW_TAIL_AT_ID, id);
	while (at + SW_TAIL_ROW_HEAD_SIZE <= size) {
		uint8_t *row = tail + at;
		size_t length = sw_get_u32(row);

		if (length < SW_TAIL_ROW_HEAD_SIZE || length > size - at ||
		    length % 8) {
			at += 8;
			continue;
		}
		sw_put_u64(row + 8,
			   sw_layout_checksum(id, row, 8, row + 16,
					      length - 16));
		at += length;
	}
}

/*
 * Touch everything a caller could; the sum prevents it from being optimized
 * out.
 */
static uint64_t walk(const struct sw_reader *reader)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < sw_reader_table_count(reader); i++) {
		const struct sw_reader_table *table = sw_reader_table(reader,
								      i);

		if (sw_reader_find(reader, table->name) != table)
			abort();
		for (size_t j = 0; j < table->column_count; j++) {
			const struct sw_reader_column *column =
				&table->columns[j];

			for (size_t row = 0; row < table->row_count; row++) {
				if (column->numbers)
					sum += column->numbers[row];
				else if (column->texts && column->texts[row])
					sum += strlen(column->texts[row]);
			}
		}
	}
	for (size_t i = 0; i < sw_reader_gap_count(reader); i++)
		sum += sw_reader_gap(reader, i)->length_bytes;
	return sum;
}

static struct sw_bytes take_tail(const uint8_t *data, size_t size)
{
	uint8_t *tail;

	if (size < TAIL_HEAD_GIVEN)
		return (struct sw_bytes){ 0 };
	tail = calloc(1, SW_TAIL_HEAD_SIZE + size - TAIL_HEAD_GIVEN);
	if (!tail)
		return (struct sw_bytes){ 0 };
	memcpy(tail, data, TAIL_HEAD_GIVEN);
	memcpy(tail + SW_TAIL_HEAD_SIZE, data + TAIL_HEAD_GIVEN,
	       size - TAIL_HEAD_GIVEN);
	return (struct sw_bytes){ tail,
				  SW_TAIL_HEAD_SIZE + size - TAIL_HEAD_GIVEN };
}

/* Read no optional column of the first table: nothing else may differ. */
static void read_less(struct sw_bytes file, struct sw_bytes tail,
		      struct sw_reader_want want, const struct sw_reader *all)
{
	static const char *const nothing[] = { NULL };
	struct sw_reader_only only = { .columns = nothing };
	struct sw_error error;
	struct sw_reader *some;

	if (!sw_reader_table_count(all))
		return;
	only.table = sw_reader_table(all, 0)->name;
	want.only = &only;
	some = sw_reader_parse(file, tail, &want, &error);
	if (!some || sw_reader_table_count(some) != sw_reader_table_count(all) ||
	    sw_reader_table(some, 0)->row_count !=
		    sw_reader_table(all, 0)->row_count)
		abort();
	sink += walk(some);
	sw_reader_close(some);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sw_reader_want want = { .values_max_bytes = VALUES_MAX };
	struct sw_error error = { "" };
	struct sw_reader *reader;
	struct sw_bytes file, tail;
	size_t tail_size;

	if (size < INPUT_HEAD_SIZE)
		return 0;
	tail_size = sw_get_u16(data + 1);
	if (tail_size > size - INPUT_HEAD_SIZE)
		tail_size = size - INPUT_HEAD_SIZE;
	file.size = size - INPUT_HEAD_SIZE - tail_size;
	file.at = malloc(file.size + 1);
	if (!file.at)
		return 0;
	memcpy((uint8_t *)(uintptr_t)file.at, data + INPUT_HEAD_SIZE,
	       file.size);
	tail = take_tail(data + size - tail_size, tail_size);
	if (data[0] & FLAG_REPAIR) {
		uint64_t id = repair_find_id(file.at, file.size);

		repair_file((uint8_t *)(uintptr_t)file.at, file.size, id);
		if (tail.at)
			repair_tail((uint8_t *)(uintptr_t)tail.at, tail.size,
				    id);
	}
	want.no_series = data[0] & FLAG_NO_SERIES;
	reader = sw_reader_parse(file, tail, &want, &error);
	if (reader) {
		sink += walk(reader);
		read_less(file, tail, want, reader);
	}
	else if (!error.text[0])
		abort();
	sw_reader_close(reader);
	free((void *)(uintptr_t)file.at);
	free((void *)(uintptr_t)tail.at);
	return 0;
}

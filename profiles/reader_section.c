/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decode the rows of one table in a block, column by column. */
#include "profiles/reader_internal.h"

#include <stdlib.h>

#include "profiles/grouping.h"
#include "profiles/stream.h"
#include "profiles/stream_plan.h"
#include "profiles/ticks.h"

enum { BESIDE_BUFFERS = 3 };

struct sw_reader_scratch {
	struct sw_ticks ticks;
	struct sw_grouping grouping;
	uint16_t order[SW_FRAME_ROWS_MAX];
	uint16_t runs[SW_FRAME_ROWS_MAX];
	uint16_t key_rows[SW_FRAME_ROWS_MAX];
	/* Columns of grouped rows, before they are put in order. */
	uint64_t time[SW_FRAME_ROWS_MAX];
	uint64_t columns[BESIDE_BUFFERS][SW_FRAME_ROWS_MAX];
};

/* State of decoding one section. */
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
	bool has_passed_time; /* of the columns that are passed */
	const uint64_t *time;
	const uint64_t *last;
	const uint64_t *second_last;
	size_t buffer; /* next of the scratch's columns */
};

bool sw_reader_make_scratch(struct sw_reader *reader)
{
	reader->scratch = malloc(sizeof(*reader->scratch));
	return reader->scratch;
}

/* Cut runs key by key, the order in which rows are returned. */
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

/* Derive the order of the other columns from the grouping column. */
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

/* *group_column is the number of columns if there is none. */
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

/* Grouped columns are decoded into scratch memory; the last two stay there. */
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

/* The next columns may be stored as differences to it. */
static void finish_column(struct decoding *decoding, const uint64_t *place,
			  bool is_time)
{
	if (is_time && !decoding->time)
		decoding->time = place;
	decoding->second_last = decoding->last;
	decoding->last = place;
}

static void put_in_order(const struct decoding *decoding, uint64_t *values,
			 const uint64_t *place)
{
	for (size_t i = 0; i < decoding->count; i++)
		values[decoding->scratch->order[i]] = place[i];
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
	finish_column(decoding, place, is_time);
	if (place != values)
		put_in_order(decoding, values, place);
	return true;
}

static int pass_texts(struct sw_stream_source *source, const uint64_t *lengths,
		      size_t count)
{
	size_t left = (size_t)(source->data_end - source->data);

	for (size_t i = 0; i < count; i++) {
		size_t length = lengths[i] ? (size_t)lengths[i] - 1 : 0;

		if (lengths[i] > SW_TEXT_SIZE_MAX || length > left)
			return 0;
		left -= length;
	}
	source->data = source->data_end - left;
	return 1;
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
	if (decoding->table->is_passed[column])
		return pass_texts(decoding->source, lengths, decoding->count);
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

/* Read the order of rows; false if it is damaged. */
static bool read_order(struct decoding *decoding, size_t key_column,
		       size_t *group_column)
{
	struct sw_reader_data *table = decoding->table;
	bool has_key = key_column < table->definition->column_count;

	decoding->key_count = 1;
	decoding->scratch->key_rows[0] = (uint16_t)decoding->count;
	if (has_key && !read_keys(decoding, sw_reader_next(table, key_column)))
		return false;
	cut_by_key(decoding);
	return !has_key || read_groups(decoding, key_column, group_column);
}

static int read_columns(struct decoding *decoding, size_t key, size_t group)
{
	struct sw_reader_data *table = decoding->table;

	for (size_t i = 0; i < table->definition->column_count; i++) {
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

/* A column of numbers whose values may not be needed. */
struct spared {
	size_t column;
	bool is_needed;
	bool is_read; /* a time that was read */
	enum sw_beside beside;
	struct sw_stream_source source; /* start of the column */
};

/* Read the heads only; spared->beside is the maximum over the runs. */
static bool pass_runs(struct decoding *decoding, struct spared *spared)
{
	enum sw_beside beside;

	spared->source = *decoding->source;
	for (size_t run = 0; run < decoding->run_count; run++) {
		if (!sw_stream_pass(decoding->source,
				    decoding->scratch->runs[run], &beside))
			return false;
		if (beside > spared->beside)
			spared->beside = beside;
	}
	return true;
}

/* Times are needed by others, and cannot be skipped. */
static bool pass_time(struct decoding *decoding, uint64_t *values)
{
	uint64_t *place = values;

	if (decoding->is_grouped)
		place = decoding->has_passed_time ?
				decoding->scratch->columns[0] :
				decoding->scratch->time;
	decoding->has_passed_time = true;
	if (!read_times(decoding, place))
		return false;
	if (place != values)
		put_in_order(decoding, values, place);
	return true;
}

static int pass_column(struct decoding *decoding, struct spared *spared)
{
	struct sw_reader_data *table = decoding->table;

	spared->is_needed = !table->is_passed[spared->column];
	spared->is_read = table->columns[spared->column].kind == SW_KIND_TIME;
	if (spared->is_read)
		return pass_time(decoding,
				 sw_reader_next(table, spared->column));
	return pass_runs(decoding, spared);
}

/* A needed column may be stored as differences to the columns before it. */
static void mark_needed(struct spared *spared, size_t count)
{
	for (size_t i = count; i-- > 0;) {
		if (!spared[i].is_needed)
			continue;
		if (spared[i].beside >= SW_BESIDE_LAST && i > 0)
			spared[i - 1].is_needed = true;
		if (spared[i].beside == SW_BESIDE_DIFFERENCE && i > 1)
			spared[i - 2].is_needed = true;
	}
}

/* Return a time that was read, in the order of the other columns. */
static const uint64_t *place_of_time(struct decoding *decoding,
				     uint64_t *values)
{
	uint64_t *place;

	if (!decoding->is_grouped)
		return values;
	if (!decoding->time)
		return decoding->scratch->time;
	place = place_for(decoding, values, false);
	for (size_t i = 0; i < decoding->count; i++)
		place[i] = values[decoding->scratch->order[i]];
	return place;
}

static bool read_needed(struct decoding *decoding, struct spared *spared,
			size_t count)
{
	struct sw_reader_data *table = decoding->table;

	for (size_t i = 0; i < count; i++) {
		uint64_t *values = sw_reader_next(table, spared[i].column);
		uint64_t *place;

		if (spared[i].is_read) {
			finish_column(decoding,
				      place_of_time(decoding, values), true);
			continue;
		}
		place = place_for(decoding, values, false);
		decoding->source = &spared[i].source;
		if (spared[i].is_needed && !read_runs(decoding, place))
			return false;
		if (place != values && !table->is_passed[spared[i].column])
			put_in_order(decoding, values, place);
		finish_column(decoding, place, false);
	}
	return true;
}

/* Decode only the wanted columns and those they depend on. */
static int read_some_columns(struct decoding *decoding, size_t key,
			     size_t group)
{
	struct sw_reader_data *table = decoding->table;
	struct spared spared[SW_TABLE_COLUMNS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < table->definition->column_count; i++) {
		int status;

		if (i == key || i == group)
			continue;
		if (table->texts[i]) {
			status = read_text_column(decoding, i);
		} else {
			spared[count] = (struct spared){ .column = i };
			status = pass_column(decoding, &spared[count++]);
		}
		if (status <= 0)
			return status;
	}
	mark_needed(spared, count);
	return read_needed(decoding, spared, count);
}

int sw_reader_take_section(struct sw_reader *reader,
			   struct sw_reader_data *table, size_t count,
			   struct sw_stream_source *source)
{
	struct decoding decoding = {
		.reader = reader,
		.table = table,
		.scratch = reader->scratch,
		.source = source,
		.count = count,
	};
	size_t key = find_key(table), group = table->definition->column_count;

	if (!read_order(&decoding, key, &group))
		return 0;
	if (table->has_passed)
		return read_some_columns(&decoding, key, group);
	return read_columns(&decoding, key, group);
}

void sw_reader_begin_block(struct sw_reader *reader)
{
	reader->scratch->ticks.count = 0;
}

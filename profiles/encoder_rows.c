/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encode the rows of a table as a section of a frame: group them, turn them
 * into columns, and these into streams.  Fails when the frame is full.
 */
#include "profiles/encoder_internal.h"

/* Average rows of a group for which grouping pays off. */
enum { GROUP_ROWS_MIN = 4 };

/* The second key of a row, if any, is the state column right after the key. */
static int find_group_column(const struct sw_table *given, int key_column)
{
	size_t next = (size_t)(key_column + 1);

	return key_column >= 0 && next < given->column_count &&
			       given->columns[next].kind == SW_KIND_STATE
		       ? (int)next
		       : SW_NO_INDEX;
}

void sw_row_shape_make(struct sw_row_shape *shape, uint16_t number,
		       const struct sw_table *table)
{
	memset(shape, 0, sizeof(*shape));
	shape->table = number;
	shape->column_count = (uint16_t)table->column_count;
	shape->key_column = SW_NO_INDEX;
	for (size_t i = 0; i < table->column_count; i++) {
		enum sw_kind kind = table->columns[i].kind;

		shape->is_time[i] = kind == SW_KIND_TIME;
		shape->is_text[i] = kind == SW_KIND_TEXT;
		shape->text_count =
			(uint16_t)(shape->text_count + shape->is_text[i]);
		if (kind == SW_KIND_KEY)
			shape->key_column = (int)i;
	}
	shape->group_column = find_group_column(table, shape->key_column);
}

static const uint8_t *row_slot(const uint8_t *row, size_t column)
{
	return row + SW_TAIL_ROW_HEAD_SIZE + column * SW_TAIL_SLOT_SIZE;
}

static void gather_one(const uint8_t *const *rows, size_t column, size_t count,
		       uint64_t *values)
{
	for (size_t i = 0; i < count; i++)
		values[i] = sw_get_u64(row_slot(rows[i], column));
}

/* Sort rows by key and write the list of keys to the heads. */
static bool order_by_key(struct sw_encoder *encoder, int key_column,
			 size_t count)
{
	struct sw_grouping *grouping = &encoder->grouping;
	struct sw_encoder_order *order = &encoder->order;
	uint64_t last = 0;

	gather_one(encoder->rows, (size_t)key_column, count,
		   encoder->columns[0]);
	sw_grouping_make(grouping, encoder->columns[0], count, encoder->places);
	for (size_t i = 0; i < count; i++)
		order->given[i] = encoder->rows[encoder->places[i]];
	if (!sw_stream_put_varint(&encoder->sink, grouping->group_count))
		return false;
	for (size_t i = 0; i < grouping->group_count; i++) {
		const struct sw_group *group = &grouping->groups[i];

		if (!sw_stream_put_varint(&encoder->sink,
					  sw_zigzag(group->key - last)) ||
		    !sw_stream_put_varint(&encoder->sink, group->count))
			return false;
		last = group->key;
		order->key_rows[i] = (uint16_t)group->count;
	}
	order->key_count = grouping->group_count;
	return true;
}

/* Use the order in which readers return rows for the columns: key by key. */
static void use_keys(struct sw_encoder_order *order, size_t count)
{
	memcpy(order->rows, order->given, count * sizeof(order->rows[0]));
	order->first_count = order->key_rows[0];
	order->run_count = 0;
	for (size_t i = 0; i < order->key_count; i++)
		order->run_count += sw_grouping_cut(
			order->runs + order->run_count, order->key_rows[i]);
}

/* Without a key, treat all rows as rows of one key. */
static void order_as_written(struct sw_encoder *encoder, size_t count)
{
	struct sw_encoder_order *order = &encoder->order;

	memcpy(order->given, encoder->rows, count * sizeof(order->given[0]));
	order->key_rows[0] = (uint16_t)count;
	order->key_count = 1;
}

/* Sort the rows of each key by group; false if there are too many groups. */
static bool order_by_group(struct sw_encoder *encoder, const uint64_t *values,
			   size_t count)
{
	struct sw_grouping *grouping = &encoder->grouping;
	struct sw_encoder_order *order = &encoder->order;
	size_t groups = 0;

	order->run_count = 0;
	for (size_t i = 0, at = 0; i < order->key_count; i++) {
		size_t rows = order->key_rows[i];

		sw_grouping_make(grouping, values + at, rows, encoder->places);
		groups += grouping->group_count;
		order->run_count += sw_grouping_cut_all(
			grouping, order->runs + order->run_count);
		if (i == 0)
			order->first_count = grouping->groups[0].count;
		for (size_t j = 0; j < rows; j++)
			order->rows[at + j] =
				order->given[at + encoder->places[j]];
		at += rows;
	}
	return groups * GROUP_ROWS_MIN <= count;
}

/* Encode run by run; the previous value carries over to the next run. */
static bool put_numbers(struct sw_encoder *encoder, const uint64_t *values,
			const struct sw_encoder_beside *beside)
{
	struct sw_stream_beside of_run = { NULL, NULL, NULL };
	uint64_t previous = 0;

	for (size_t run = 0, at = 0; run < encoder->order.run_count; run++) {
		size_t rows = encoder->order.runs[run];

		if (beside && beside->has_time)
			of_run.time = beside->time + at;
		if (beside && beside->last)
			of_run.last = beside->last + at;
		if (beside && beside->second_last)
			of_run.second_last = beside->second_last + at;
		if (!sw_stream_encode(&encoder->sink, values + at, rows,
				      &of_run, &previous))
			return false;
		at += rows;
	}
	return true;
}

/* Encode a column of times; the first one of a frame defines its ticks. */
static bool put_times(struct sw_encoder *encoder, const uint64_t *values)
{
	const struct sw_encoder_order *order = &encoder->order;
	bool is_first = !encoder->ticks.count;
	uint64_t previous = 0;

	for (size_t run = 0, at = 0; run < order->run_count; run++) {
		size_t rows = order->runs[run];

		if (!sw_ticks_encode(&encoder->sink, values + at, rows,
				     &encoder->ticks, &previous))
			return false;
		if (is_first && at < order->first_count)
			sw_ticks_add(&encoder->ticks, values + at, rows);
		at += rows;
	}
	return true;
}

/*
 * Write the column that groups the rows of a key, if there is one and grouping
 * pays off.  It goes first, in the order readers return; the others follow it
 * sorted by group.
 */
static bool put_groups(struct sw_encoder *encoder,
		       const struct sw_row_shape *shape, size_t count,
		       int *group_column)
{
	const struct sw_stream_sink start = encoder->sink;
	uint64_t *values = encoder->columns[0];

	*group_column = shape->group_column;
	if (*group_column >= 0) {
		gather_one(encoder->order.given, (size_t)*group_column, count,
			   values);
		if (!sw_stream_put_varint(&encoder->sink,
					  (uint64_t)*group_column + 1) ||
		    !put_numbers(encoder, values, NULL))
			return false;
		if (order_by_group(encoder, values, count))
			return true;
		encoder->sink = start;
		use_keys(&encoder->order, count);
	}
	*group_column = SW_NO_INDEX;
	return sw_stream_put_varint(&encoder->sink, 0);
}

/* Determine the order of rows, and write what a reader needs to restore it. */
static bool put_order(struct sw_encoder *encoder,
		      const struct sw_row_shape *shape, size_t count,
		      int *group_column)
{
	*group_column = SW_NO_INDEX;
	if (shape->key_column < 0)
		order_as_written(encoder, count);
	else if (!order_by_key(encoder, shape->key_column, count))
		return false;
	use_keys(&encoder->order, count);
	return shape->key_column < 0 ||
	       put_groups(encoder, shape, count, group_column);
}

static void copy_column(uint64_t *to, const uint64_t *from, size_t count)
{
	if (from && from != to)
		memcpy(to, from, count * sizeof(*to));
}

/*
 * Gather as many columns from first on as there is room for.  Rows lie far
 * apart: fetching each once per column would take longer than packing it.
 */
static void gather(struct sw_encoder *encoder, size_t first, size_t end,
		   size_t count)
{
	struct sw_encoder_beside *beside = &encoder->beside;
	size_t columns = end - first;

	if (columns > SW_ENCODER_GATHER_COLUMNS)
		columns = SW_ENCODER_GATHER_COLUMNS;
	/* Keep this order: last may lie where second_last is copied to. */
	copy_column(beside->carried[1], beside->second_last, count);
	copy_column(beside->carried[0], beside->last, count);
	beside->second_last = beside->second_last ? beside->carried[1] : NULL;
	beside->last = beside->last ? beside->carried[0] : NULL;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *slot = row_slot(encoder->order.rows[i], first);

		for (size_t j = 0; j < columns; j++)
			encoder->columns[j][i] =
				sw_get_u64(slot + j * SW_TAIL_SLOT_SIZE);
	}
}

/* Write lengths as numbers (0: missing, else length plus 1), then the bytes. */
static bool put_texts(struct sw_encoder *encoder, size_t column, size_t count)
{
	static const struct sw_stream_beside nothing;
	const uint8_t *const *rows = encoder->order.given;
	struct sw_stream_sink *sink = &encoder->sink;
	uint64_t values[SW_RUN_ROWS_MAX];
	uint64_t previous = 0;

	for (size_t at = 0; at < count; at += SW_RUN_ROWS_MAX) {
		size_t run = count - at < SW_RUN_ROWS_MAX ? count - at
							  : SW_RUN_ROWS_MAX;

		for (size_t i = 0; i < run; i++)
			values[i] = sw_get_u32(row_slot(rows[at + i], column));
		if (!sw_stream_encode(sink, values, run, &nothing, &previous))
			return false;
	}
	for (size_t i = 0; i < count; i++) {
		const uint8_t *slot = row_slot(rows[i], column);
		size_t length = sw_get_u32(slot);

		if (length <= 1)
			continue;
		if ((size_t)(sink->data_end - sink->data) < length - 1)
			return false;
		memcpy(sink->data, rows[i] + sw_get_u32(slot + 4), length - 1);
		sink->data += length - 1;
	}
	return true;
}

static bool put_column(struct sw_encoder *encoder,
		       const struct sw_row_shape *shape, size_t column,
		       size_t count)
{
	struct sw_encoder_beside *beside = &encoder->beside;
	const uint64_t *values =
		encoder->columns[column % SW_ENCODER_GATHER_COLUMNS];

	if (shape->is_text[column])
		return put_texts(encoder, column, count);
	if (!(shape->is_time[column] ? put_times(encoder, values)
				     : put_numbers(encoder, values, beside)))
		return false;
	if (shape->is_time[column] && !beside->has_time) {
		copy_column(beside->time, values, count);
		beside->has_time = true;
	}
	beside->second_last = beside->last;
	beside->last = values;
	return true;
}

bool sw_encoder_put_section(struct sw_encoder *encoder,
			    const struct sw_row_shape *shape, size_t count)
{
	int group_column;

	if (!put_order(encoder, shape, count, &group_column))
		return false;
	encoder->beside.has_time = false;
	encoder->beside.last = NULL;
	encoder->beside.second_last = NULL;
	for (size_t i = 0; i < shape->column_count; i++) {
		if (i % SW_ENCODER_GATHER_COLUMNS == 0)
			gather(encoder, i, shape->column_count, count);
		if ((int)i == shape->key_column || (int)i == group_column)
			continue;
		if (!put_column(encoder, shape, i, count))
			return false;
	}
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of one read of a counter source. */
#include "recorder/sources/rows.h"

#include <string.h>

#include "common/missing.h"
#include "profiles/table.h"

static uint64_t *row_at(const struct sw_rows *rows, size_t row)
{
	return rows->cells + row * (1 + rows->column_count);
}

size_t sw_rows_bytes(size_t column_count, size_t max)
{
	return max * (1 + column_count) * sizeof(uint64_t);
}

uint64_t *sw_rows_add(struct sw_rows *rows, uint64_t index)
{
	uint64_t *row;
	size_t i;

	if (rows->count == rows->max ||
	    (index >= SW_SUBJECTS_MAX && !sw_is_missing(index))) {
		rows->left_out++;
		return NULL;
	}
	row = row_at(rows, rows->count++);
	row[0] = index;
	for (i = 1; i <= rows->column_count; i++)
		row[i] = SW_MISSING;
	return row + 1;
}

enum sw_read_status
sw_rows_each(struct sw_rows *rows, size_t count,
	     enum sw_read_status (*read)(void *state, size_t index,
					 uint64_t *values), void *state)
{
	enum sw_read_status worst = SW_READ_GONE, status;
	uint64_t values[SW_TABLE_COLUMNS_MAX], *row;
	size_t i;

	for (i = 0; i < count; i++) {
		sw_set_missing(values, rows->column_count);
		status = read(state, i, values);
		if (status == SW_READ_GARBAGE)
			worst = SW_READ_GARBAGE;
		row = status == SW_READ_OK ? sw_rows_add(rows, i) : NULL;
		if (row)
			memcpy(row, values, rows->column_count * sizeof(*row));
	}
	return rows->count ? SW_READ_OK : worst;
}

uint64_t sw_rows_index(const struct sw_rows *rows, size_t row)
{
	return row_at(rows, row)[0];
}

const uint64_t *sw_rows_values(const struct sw_rows *rows, size_t row)
{
	return row_at(rows, row) + 1;
}

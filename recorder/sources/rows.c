/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of one read of a counter source. */
#include "recorder/sources/rows.h"

#include "common/missing.h"

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

uint64_t sw_rows_index(const struct sw_rows *rows, size_t row)
{
	return row_at(rows, row)[0];
}

const uint64_t *sw_rows_values(const struct sw_rows *rows, size_t row)
{
	return row_at(rows, row) + 1;
}

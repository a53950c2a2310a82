/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choose the columns to keep, and allocate room for their values. */
#include "profiles/reader_internal.h"

#include <stdlib.h>
#include <sys/mman.h>

#define LARGE_PAGE_SIZE ((size_t)2 << 20)

const struct sw_reader_only *sw_reader_find_only(const struct sw_reader *reader,
						 const char *table)
{
	for (size_t i = 0; i < reader->only_count; i++)
		if (strcmp(reader->only[i].table, table) == 0)
			return &reader->only[i];
	return NULL;
}

/* Most columns are asked for in their order: continue where it was found. */
static bool is_asked_for(const struct sw_reader_only *only, const char *name,
			 size_t *next)
{
	for (size_t i = *next; only->columns[i]; i++) {
		if (strcmp(only->columns[i], name) == 0) {
			*next = i + 1;
			return true;
		}
	}
	for (size_t i = 0; i < *next; i++)
		if (strcmp(only->columns[i], name) == 0)
			return true;
	return false;
}

static bool is_passed(const struct sw_reader_only *only,
		      const struct sw_definition_column *column, size_t *next)
{
	return column->kind != SW_KIND_KEY && column->kind != SW_KIND_TIME &&
	       (column->kind != SW_KIND_TEXT || only->passes_texts) &&
	       !is_asked_for(only, column->name, next);
}

/* Choose the columns whose rows are kept. */
static int choose_columns(struct sw_reader *reader)
{
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++) {
		struct sw_reader_data *table = &reader->tables[i];
		const struct sw_definition *definition = table->definition;
		const struct sw_reader_only *only;
		size_t next = 0;

		if (!definition)
			continue;
		table->is_passed = calloc(definition->column_count,
					  sizeof(table->is_passed[0]));
		if (!table->is_passed)
			return -1;
		only = sw_reader_find_only(reader, definition->name);
		for (size_t j = 0; only && j < definition->column_count; j++) {
			table->is_passed[j] =
				is_passed(only, &definition->columns[j],
					  &next);
			table->has_passed |= table->is_passed[j];
		}
	}
	return 0;
}

/* Return the number of rows to allocate for a column. */
static size_t rows_of(const struct sw_reader_data *table, size_t column)
{
	return table->is_passed[column] ? table->section_rows :
					  table->row_capacity;
}

/* Return the number of values of all columns, at most row_capacity of each. */
static size_t values_of(const struct sw_reader_data *table)
{
	size_t count = 0;

	for (size_t i = 0; i < table->definition->column_count; i++)
		count += rows_of(table, i);
	return count;
}

static void make_column(struct sw_reader_data *table, size_t i, void *values)
{
	const struct sw_definition_column *from =
		&table->definition->columns[i];
	struct sw_reader_column *column = &table->columns[i];

	strcpy(column->name, from->name);
	strcpy(column->unit, from->unit);
	column->kind = from->kind;
	if (from->kind == SW_KIND_TEXT) {
		table->texts[i] = values;
		column->texts = table->is_passed[i] ? NULL : values;
	} else {
		table->numbers[i] = values;
		column->numbers = table->is_passed[i] ? NULL : values;
	}
}

/* values: room for values_of() of them. */
static int make_table(struct sw_reader *reader, struct sw_reader_data *table,
		      uint64_t *values)
{
	size_t count = table->definition->column_count;

	table->columns = calloc(count, sizeof(table->columns[0]));
	table->numbers = calloc(count, sizeof(table->numbers[0]));
	table->texts = calloc(count, sizeof(table->texts[0]));
	if (!table->columns || !table->numbers || !table->texts)
		return -1;
	for (size_t i = 0; i < count; i++) {
		make_column(table, i, values);
		values += rows_of(table, i);
	}
	if (reader->tail_row_count) {
		table->in_file = calloc(SW_BLOCK_ROWS_MAX / 64 + 1,
					sizeof(table->in_file[0]));
		if (!table->in_file)
			return -1;
	}
	return 0;
}

/*
 * Allocate room for the values of all tables.  Much of it uses huge pages if
 * available: first touches of small pages would cost more than decoding does.
 */
static uint64_t *make_values(size_t count)
{
	size_t bytes = (count ? count : 1) * sizeof(uint64_t);
	uint64_t *values;

	if (bytes < LARGE_PAGE_SIZE)
		return malloc(bytes);
	bytes = (bytes + LARGE_PAGE_SIZE - 1) & ~(LARGE_PAGE_SIZE - 1);
	values = aligned_alloc(LARGE_PAGE_SIZE, bytes);
	if (values)
		madvise(values, bytes, MADV_HUGEPAGE);
	return values;
}

/* Return the number of values of all tables; SIZE_MAX: more than is allowed. */
static size_t count_values(const struct sw_reader *reader)
{
	size_t most = reader->values_left / sizeof(uint64_t), left = most;

	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++) {
		const struct sw_reader_data *table = &reader->tables[i];

		if (!table->definition)
			continue;
		if (table->row_capacity >
		    left / table->definition->column_count)
			return SIZE_MAX;
		left -= values_of(table);
	}
	return most - left;
}

int sw_reader_make_tables(struct sw_reader *reader)
{
	size_t count, at = 0;

	if (choose_columns(reader) < 0)
		return -1;
	count = count_values(reader);
	reader->is_over = count == SIZE_MAX;
	if (reader->is_over)
		return -1;
	reader->values = make_values(count);
	if (!reader->values)
		return -1;
	reader->values_left -= count * sizeof(uint64_t);
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++) {
		struct sw_reader_data *table = &reader->tables[i];

		if (!table->definition)
			continue;
		if (make_table(reader, table, reader->values + at) < 0)
			return -1;
		at += values_of(table);
	}
	return 0;
}

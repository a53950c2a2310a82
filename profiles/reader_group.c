/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sort the rows of a table by one of its numbers: a job can have thousands of
 * steps, and searching all rows for each step would be quadratic.
 */
#include "profiles/reader_internal.h"

#include <errno.h>
#include <stdlib.h>

struct place {
	uint64_t key;
	size_t row;
};

static int compare(const void *a, const void *b)
{
	const struct place *one = a, *two = b;

	if (one->key != two->key)
		return one->key < two->key ? -1 : 1;
	return one->row < two->row ? -1 : one->row > two->row;
}

static size_t find_column(const struct sw_reader_data *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->definition->column_count; i++) {
		if (table->columns[i].numbers &&
		    !strcmp(table->columns[i].name, name))
			break;
	}
	return i;
}

static bool is_in_order(const uint64_t *keys, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (keys[i] < keys[i - 1])
			return false;
	return true;
}

/* room holds all values of a column; pointers to texts are no larger. */
static void put_in_order(struct sw_reader_data *table,
			 const struct place *places, uint64_t *room)
{
	const char **texts = (const char **)room;

	for (size_t i = 0; i < table->definition->column_count; i++) {
		if (table->is_passed[i])
			continue;
		for (size_t row = 0; row < table->row_count; row++) {
			if (table->numbers[i])
				room[row] = table->numbers[i][places[row].row];
			else
				texts[row] = table->texts[i][places[row].row];
		}
		if (table->numbers[i])
			memcpy(table->numbers[i], room,
			       table->row_count * sizeof(*room));
		else
			memcpy(table->texts[i], texts,
			       table->row_count * sizeof(*texts));
	}
}

static int group(struct sw_reader_data *table, size_t column)
{
	struct place *places;
	uint64_t *room;
	int rc = -1;

	places = reallocarray(NULL, table->row_count, sizeof(*places));
	room = reallocarray(NULL, table->row_count,
			    sizeof(uint64_t) > sizeof(char *) ?
				    sizeof(uint64_t) : sizeof(char *));
	if (places && room) {
		for (size_t row = 0; row < table->row_count; row++)
			places[row] = (struct place){
				table->numbers[column][row], row };
		qsort(places, table->row_count, sizeof(*places), compare);
		put_in_order(table, places, room);
		rc = 0;
	}
	free(places);
	free(room);
	return rc;
}

int sw_reader_group(struct sw_reader *reader, const char *column,
		    const char *const *except)
{
	for (size_t i = 0; i < reader->public_count; i++) {
		struct sw_reader_table *public = &reader->public_tables[i];
		struct sw_reader_data *table = reader->public_data[i];
		size_t at = find_column(table, column);
		const char *const *name;

		for (name = except; *name && strcmp(*name, public->name); name++)
			;
		if (*name || at == table->definition->column_count)
			continue;
		if (!is_in_order(table->numbers[at], table->row_count) &&
		    group(table, at) < 0) {
			errno = ENOMEM;
			return -1;
		}
		public->is_grouped = true;
	}
	return 0;
}

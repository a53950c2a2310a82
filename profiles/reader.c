/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read a profile that is in memory.  Fails only if there is no header, no
 * memory, or more values than a reader should hold.
 */
#include "profiles/reader_internal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

static bool is_unwanted(const struct sw_reader *reader, const char *table)
{
	return (reader->no_series && strncmp(table, "series.", 7) == 0) ||
	       (reader->no_others && !sw_reader_find_only(reader, table));
}

static void choose_tables(struct sw_reader *reader)
{
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++) {
		const struct sw_definition *definition =
			reader->tables[i].definition;

		reader->tables[i].is_unwanted =
			definition && is_unwanted(reader, definition->name);
	}
}

/*
 * Count the rows announced by frames and tail, by table; untrusted until
 * decoded.
 */
static void count_rows(struct sw_reader *reader)
{
	for (size_t i = 0; i < reader->stretch_count; i++) {
		struct sw_stretch *stretch = &reader->stretches[i];

		if (sw_reader_is_readable(stretch, SW_FRAME_BLOCK))
			sw_reader_count_block(reader, stretch);
	}
	for (size_t i = 0; i < reader->tail_row_count; i++) {
		const uint8_t *row = reader->tail.at + reader->tail_rows[i];
		struct sw_reader_data *table;

		if (sw_reader_is_definition(reader, reader->tail_rows[i]))
			continue;
		table = &reader->tables[sw_get_u16(row + 4)];
		table->row_capacity += !table->is_unwanted;
		if (!table->is_unwanted && !table->section_rows)
			table->section_rows = 1;
	}
}

static int refuse_size(struct sw_error *error)
{
	errno = EFBIG;
	return sw_error_set(error, "holds more than can be read at once");
}

static void take_end(struct sw_reader *reader, const struct sw_stretch *stretch)
{
	const uint8_t *fixed =
		reader->file.at + stretch->offset + SW_FRAME_HEAD_SIZE;

	if (stretch->length < SW_FRAME_HEAD_SIZE + SW_END_FIXED_SIZE)
		return;
	reader->health.is_finished = true;
	reader->health.rows_dropped = sw_get_u64(fixed + 16);
}

/* A frame cut short by a kill is no damage: the tail has its rows. */
static bool is_unfinished(const struct sw_reader *reader,
			  const struct sw_stretch *stretch)
{
	return reader->tail_file_end &&
	       stretch->offset >= reader->tail_file_end &&
	       stretch->offset + stretch->length == reader->file.size;
}

static int take_stretch(struct sw_reader *reader,
			const struct sw_stretch *stretch)
{
	int status = 1;

	if (stretch->is_bad) {
		if (is_unfinished(reader, stretch))
			return 0;
		status = 0;
	} else if (stretch->is_unwanted) {
		reader->health.is_finished = false;
	} else if (sw_reader_is_readable(stretch, SW_FRAME_BLOCK)) {
		reader->health.is_finished = false;
		status = sw_reader_take_block(reader, stretch);
	} else if (sw_reader_is_readable(stretch, SW_FRAME_END)) {
		take_end(reader, stretch);
	} else if (!sw_reader_is_readable(stretch, SW_FRAME_HEADER) &&
		   !sw_reader_is_readable(stretch, SW_FRAME_DEFINITION) &&
		   !sw_reader_is_readable(stretch, SW_FRAME_DEFINITIONS)) {
		reader->health.frames_unknown++;
		return 0;
	}
	if (status == 0)
		return sw_reader_note_gap(reader, stretch->offset,
					  stretch->length);
	if (status > 0)
		reader->health.frames_read++;
	return status < 0 ? -1 : 0;
}

static int take_all(struct sw_reader *reader)
{
	uint64_t size = reader->file.size;

	for (size_t i = 0; i < reader->stretch_count; i++)
		if (take_stretch(reader, &reader->stretches[i]) < 0)
			return -1;
	/* The file is shorter than the writer had recorded. */
	if (reader->tail_file_end > size &&
	    reader->tail_file_end <= SW_READER_FILE_MAX &&
	    sw_reader_note_gap(reader, size,
			       reader->tail_file_end - size) < 0)
		return -1;
	return sw_reader_take_tail(reader);
}

static void publish(struct sw_reader *reader)
{
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++) {
		struct sw_reader_data *table = &reader->tables[i];
		struct sw_reader_table *public;

		if (!table->definition || table->is_unwanted)
			continue;
		reader->public_data[reader->public_count] = table;
		public = &reader->public_tables[reader->public_count++];
		strcpy(public->name, table->definition->name);
		strcpy(public->source, table->definition->source);
		public->scope = table->definition->scope;
		public->column_count = table->definition->column_count;
		public->columns = table->columns;
		public->row_count = table->row_count;
	}
}

/*
 * Kept for the next file: zstd queries the CPU's features each time a context
 * is created, which takes microseconds in a virtual machine.
 */
static _Atomic(ZSTD_DCtx *) spare_zstd;

static ZSTD_DCtx *take_zstd(void)
{
	ZSTD_DCtx *zstd = atomic_exchange(&spare_zstd, NULL);

	return zstd ? zstd : ZSTD_createDCtx();
}

static void give_zstd(ZSTD_DCtx *zstd)
{
	if (zstd)
		ZSTD_freeDCtx(atomic_exchange(&spare_zstd, zstd));
}

/* Free what is needed only while reading. */
static void free_scratch(struct sw_reader *reader)
{
	give_zstd(reader->zstd);
	free(reader->plain);
	free(reader->scratch);
	free(reader->stretches);
	free(reader->tail_rows);
	reader->zstd = NULL;
	reader->plain = NULL;
	reader->scratch = NULL;
	reader->stretches = NULL;
	reader->tail_rows = NULL;
}

static int parse(struct sw_reader *reader, struct sw_error *error)
{
	sw_error_set(error, "not enough memory to read it");
	reader->zstd = take_zstd();
	reader->plain = malloc(SW_PLAIN_MAX + SW_PLAIN_SLACK);
	if (!reader->zstd || !reader->plain ||
	    !sw_reader_make_scratch(reader)) {
		errno = ENOMEM;
		return -1;
	}
	if (sw_reader_scan(reader, error) < 0)
		return -1;
	if (sw_reader_scan_tail(reader) < 0)
		return -1;
	sw_reader_take_definitions(reader);
	choose_tables(reader);
	count_rows(reader);
	if (sw_reader_make_tables(reader) < 0 || take_all(reader) < 0)
		return reader->is_over ? refuse_size(error) : -1;
	if (reader->is_over)
		return refuse_size(error);
	publish(reader);
	free_scratch(reader);
	return 0;
}

/* Return the lower of the requested limit and that for a file of this size. */
static size_t most_of(size_t max, size_t file_bytes)
{
	size_t most = file_bytes * SW_READER_RATIO_MAX;

	if (most < SW_READER_VALUES_FREE)
		most = SW_READER_VALUES_FREE;
	if (most > SW_READER_VALUES_MAX)
		most = SW_READER_VALUES_MAX;
	return max && max < most ? max : most;
}

struct sw_reader *sw_reader_parse(struct sw_bytes file, struct sw_bytes tail,
				  const struct sw_reader_want *want,
				  struct sw_error *error)
{
	struct sw_reader *reader = calloc(1, sizeof(*reader));
	size_t bytes = file.size + tail.size;
	size_t values;

	if (!reader) {
		sw_error_set(error, "not enough memory to read it");
		return NULL;
	}
	reader->file = file;
	reader->tail = tail;
	values = most_of(want->values_max_bytes, bytes);
	reader->no_series = want->no_series;
	reader->no_others = want->no_others;
	reader->only = want->only;
	reader->only_count = want->only_count;
	reader->values_left = values;
	/*
	 * A block is compressed, so its bytes are fewer than those of its
	 * values.
	 */
	reader->plain_left = most_of(0, bytes);
	reader->last_usec = SW_MISSING;
	if (parse(reader, error) < 0) {
		sw_reader_close(reader);
		return NULL;
	}
	reader->values_held = values - reader->values_left;
	reader->file = (struct sw_bytes){ 0 };
	reader->tail = (struct sw_bytes){ 0 };
	return reader;
}

static void free_table(struct sw_reader_data *table)
{
	free(table->columns);
	free(table->numbers);
	free(table->is_passed);
	free(table->texts);
	free(table->in_file);
	free(table->definition);
}

void sw_reader_close(struct sw_reader *reader)
{
	int saved = errno;

	if (!reader)
		return;
	free_scratch(reader);
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++)
		free_table(&reader->tables[i]);
	while (reader->texts) {
		struct sw_text_chunk *next = reader->texts->next;

		free(reader->texts);
		reader->texts = next;
	}
	free(reader->gaps);
	free(reader->values);
	free(reader);
	errno = saved;
}

const struct sw_reader_origin *sw_reader_origin(const struct sw_reader *reader)
{
	return &reader->origin;
}

size_t sw_reader_held_bytes(const struct sw_reader *reader)
{
	return reader->values_held;
}

size_t sw_reader_table_count(const struct sw_reader *reader)
{
	return reader->public_count;
}

const struct sw_reader_table *sw_reader_table(const struct sw_reader *reader,
					      size_t index)
{
	return index < reader->public_count ? &reader->public_tables[index] :
					      NULL;
}

bool sw_reader_has(const struct sw_reader *reader, const char *table)
{
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++) {
		const struct sw_definition *definition =
			reader->tables[i].definition;

		if (definition && strcmp(definition->name, table) == 0)
			return true;
	}
	return false;
}

const struct sw_reader_table *sw_reader_find(const struct sw_reader *reader,
					     const char *table)
{
	for (size_t i = 0; i < reader->public_count; i++)
		if (strcmp(reader->public_tables[i].name, table) == 0)
			return &reader->public_tables[i];
	return NULL;
}

const struct sw_reader_column *
sw_reader_find_column(const struct sw_reader_table *table, const char *column)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (strcmp(table->columns[i].name, column) == 0)
			return &table->columns[i];
	return NULL;
}

const struct sw_reader_health *sw_reader_health(const struct sw_reader *reader)
{
	return &reader->health;
}

size_t sw_reader_gap_count(const struct sw_reader *reader)
{
	return reader->gap_count;
}

const struct sw_reader_gap *sw_reader_gap(const struct sw_reader *reader,
					  size_t index)
{
	return index < reader->gap_count ? &reader->gaps[index] : NULL;
}

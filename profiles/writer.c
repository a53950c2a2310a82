/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Write a profile: rows go to the tail; a closed block goes to the file as a
 * frame of the series and one of all other tables, or a few.  Rows that the
 * file system refuses stay in the tail and are tried again; when the tail is
 * full, rows are dropped, those of series first, and counted.
 */
#include "profiles/writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/pages.h"
#include "profiles/definition.h"
#include "profiles/finish.h"
#include "profiles/output.h"
#include "profiles/tail.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#else
#define PACKAGE_VERSION "0"
#endif

#define RETRY_USEC ((uint64_t)2 * 1000000)

enum {
	DEFINITIONS_MAX = 128 * 1024,	/* bytes of all tables' descriptions */
	SERIES_RESERVE = 128 * 1024,	/* part of the tail, not for series.* */
	COPY_EVERY = 64 * 1024,	/* bytes of frames between two copies */
	COPY_AT_END = 4096,	/* of the head and the descriptions */
};

struct table {
	struct sw_row_shape shape;
	char name[SW_NAME_SIZE_MAX], source[SW_NAME_SIZE_MAX];
	bool is_series;
	bool is_described;	/* its definition is in the file */
	uint16_t scope;
	uint32_t row_count;	/* in the open block */
	uint32_t row_in_file;	/* of these, already in frames */
	uint32_t row_taken;	/* of these, in the file or the open frame */
	size_t definition_at;
	size_t definition_bytes;
};

struct sw_writer {
	struct sw_profile_names names;
	struct sw_output output;
	struct sw_tail tail;
	struct sw_encoder *encoder;
	struct sw_writer_stats stats;
	uint64_t block_start_usec;
	uint64_t retry_usec;	/* no attempt before; 0 after a success */
	bool holds_series;
	bool fills_blocks;
	uint64_t copy_end_bytes;	/* file size after the last copy */
	size_t table_count;
	size_t definitions_bytes;
	struct table tables[SW_PROFILE_TABLES_MAX];
	uint8_t definitions[DEFINITIONS_MAX];
};

static int append_header(struct sw_writer *writer)
{
	static const char name[] = "stepwell " PACKAGE_VERSION;
	uint8_t fixed[SW_HEADER_FIXED_SIZE] = { 0 };
	struct sw_payload payload;

	sw_put_u16(fixed, SW_FORMAT_MAJOR);
	sw_put_u16(fixed + 2, SW_FORMAT_MINOR);
	sw_put_u64(fixed + 8, writer->output.id);
	sw_encoder_wrap(writer->encoder, fixed, sizeof(fixed),
			(const uint8_t *)name, sizeof(name) - 1, &payload);
	return sw_output_append(&writer->output, SW_FRAME_HEADER, &payload);
}

/* A definition follows its fixed part, as in a frame of all definitions. */
static int append_definition(struct sw_writer *writer, struct table *table)
{
	const uint8_t *body = writer->definitions + table->definition_at;
	struct sw_payload payload;

	sw_encoder_wrap(writer->encoder, body - SW_DEFINITION_FIXED_SIZE,
			SW_DEFINITION_FIXED_SIZE, body,
			table->definition_bytes, &payload);
	if (sw_output_append(&writer->output, SW_FRAME_DEFINITION,
			     &payload) < 0)
		return -1;
	table->is_described = true;
	return 0;
}

static int append_definitions(struct sw_writer *writer)
{
	uint8_t fixed[SW_DEFINITIONS_FIXED_SIZE];
	struct sw_payload payload;

	if (!writer->table_count)
		return 0;
	sw_put_u32(fixed, (uint32_t)writer->definitions_bytes);
	sw_encoder_wrap(writer->encoder, fixed, sizeof(fixed),
			writer->definitions, writer->definitions_bytes,
			&payload);
	if (sw_output_append(&writer->output, SW_FRAME_DEFINITIONS,
			     &payload) < 0)
		return -1;
	for (size_t i = 0; i < writer->table_count; i++)
		writer->tables[i].is_described = true;
	return 0;
}

/* Append copies: damage to the first page must not cost the whole file. */
static int append_copies(struct sw_writer *writer, uint64_t after_bytes)
{
	if (sw_excess_u64(writer->output.end_bytes, writer->copy_end_bytes) <
	    after_bytes)
		return 0;
	if (append_header(writer) < 0 || append_definitions(writer) < 0)
		return -1;
	writer->copy_end_bytes = writer->output.end_bytes;
	return 0;
}

static void note(struct sw_writer *writer)
{
	sw_tail_note(&writer->tail, writer->output.end_bytes,
		     writer->stats.rows_dropped,
		     writer->stats.first_drop_usec,
		     writer->stats.last_drop_usec);
}

/* Return a random number that nobody can have put into a text beforehand. */
static uint64_t make_id(void)
{
	uint64_t id;

	if (getrandom(&id, sizeof(id), GRND_NONBLOCK) != (ssize_t)sizeof(id))
		id = sw_clock_realtime_usec() * UINT64_C(0x9e3779b97f4a7c15) ^
		     (uint64_t)(uintptr_t)&id;
	return id;
}

static int open_files(struct sw_writer *writer, bool is_replacing)
{
	const struct sw_profile_names *names = &writer->names;

	if (sw_output_open(&writer->output, names->dirfd, names->part,
			   is_replacing) < 0)
		return -1;
	if (is_replacing)
		sw_names_remove_tail(names);
	writer->output.id = make_id();
	if (sw_tail_open(&writer->tail, names->dirfd, names->tail,
			 writer->output.id) < 0)
		return -1;
	writer->stats.has_tail = writer->tail.is_shared;
	return append_header(writer);
}

/* Remove the files that open_files() made. */
static void remove_files(struct sw_writer *writer)
{
	int saved = errno;

	if (writer->output.fd >= 0)
		sw_names_remove_part(&writer->names);
	if (writer->tail.is_shared)
		sw_names_remove_tail(&writer->names);
	errno = saved;
}

struct sw_writer *sw_writer_create(int dirfd, const char *name,
				   bool is_replacing, struct sw_error *error)
{
	struct sw_writer *writer = sw_pages_take(sizeof(*writer));

	if (!writer) {
		sw_error_errno(error, "cannot record into %s", name);
		return NULL;
	}
	writer->output.fd = -1;
	writer->stats.first_drop_usec = SW_MISSING;
	writer->stats.last_drop_usec = SW_MISSING;
	if (sw_names_make(&writer->names, dirfd, name, is_replacing, error) < 0)
		goto error;
	writer->encoder = sw_encoder_get();
	if (!writer->encoder || open_files(writer, is_replacing) < 0) {
		sw_error_errno(error, "cannot record into %s",
			       writer->names.part);
		remove_files(writer);
		goto error;
	}
	writer->copy_end_bytes = writer->output.end_bytes;
	note(writer);
	return writer;
error:
	sw_writer_destroy(writer);
	return NULL;
}

static void fill_table(struct sw_writer *writer, struct table *table,
		       const struct sw_table *given)
{
	sw_row_shape_make(&table->shape, (uint16_t)writer->table_count, given);
	strcpy(table->name, given->name);
	strcpy(table->source, given->source);
	table->scope = (uint16_t)given->scope;
	table->is_series = strncmp(given->name, "series.", 7) == 0;
}

static const struct table *find_table(const struct sw_writer *writer,
				      const char *name)
{
	size_t i;

	for (i = 0; i < writer->table_count; i++) {
		if (!strcmp(writer->tables[i].name, name))
			return &writer->tables[i];
	}
	return NULL;
}

/* Return the offset of the columns in an encoded definition. */
static size_t columns_at(const char *name, const char *source)
{
	return 1 + strlen(name) + 1 + strlen(source);
}

/* Does a known table have the columns of the definition just encoded? */
static bool has_columns(const struct sw_writer *writer,
			const struct table *known,
			const struct sw_table *given, const uint8_t *body,
			size_t bytes)
{
	size_t known_at = columns_at(known->name, known->source);
	size_t at = columns_at(given->name, given->source);

	return known->scope == (uint16_t)given->scope &&
	       known->definition_bytes - known_at == bytes - at &&
	       !memcmp(writer->definitions + known->definition_at + known_at,
		       body + at, bytes - at);
}

int sw_writer_table(struct sw_writer *writer, const struct sw_table *given,
		    struct sw_error *error)
{
	struct table *table = &writer->tables[writer->table_count];
	size_t room = sizeof(writer->definitions) - writer->definitions_bytes;
	uint8_t *fixed = writer->definitions + writer->definitions_bytes;
	uint8_t *body = fixed + SW_DEFINITION_FIXED_SIZE;
	const struct table *known;
	size_t bytes = 0;

	if (sw_definition_check(given, error) < 0)
		return -1;
	errno = EINVAL;
	if (room > SW_DEFINITION_FIXED_SIZE)
		bytes = sw_definition_encode(given, body,
					     room - SW_DEFINITION_FIXED_SIZE);
	if (!bytes)
		return sw_error_set(error,
				    "table %s: too many columns in total",
				    given->name);
	known = find_table(writer, given->name);
	if (known)
		return has_columns(writer, known, given, body, bytes) ?
			       (int)known->shape.table :
			       sw_error_set(error, "table %s: defined twice, "
					    "with other columns", given->name);
	if (writer->table_count == SW_PROFILE_TABLES_MAX)
		return sw_error_set(error, "table %s: too many tables",
				    given->name);
	fill_table(writer, table, given);
	sw_put_u16(fixed, table->shape.table);
	sw_put_u16(fixed + 2, table->scope);
	sw_put_u32(fixed + 4, (uint32_t)bytes);
	table->definition_at = (size_t)(body - writer->definitions);
	table->definition_bytes = bytes;
	writer->definitions_bytes += SW_DEFINITION_FIXED_SIZE + bytes;
	writer->table_count++;
	/* A full disk is no reason to give up now: a flush tries again. */
	if (append_definition(writer, table) < 0)
		sw_tail_append_definition(&writer->tail, fixed,
					  SW_DEFINITION_FIXED_SIZE + bytes);
	note(writer);
	return (int)table->shape.table;
}

const char *sw_writer_source(const struct sw_writer *writer, int table)
{
	return writer->tables[table].source;
}

/* Write the frame being built; its rows are then in the file. */
static int append_block(struct sw_writer *writer)
{
	struct sw_payload payload;

	if (!sw_encoder_end(writer->encoder, &payload))
		return 0;
	if (sw_output_append(&writer->output, SW_FRAME_BLOCK, &payload) < 0)
		return -1;
	for (size_t i = 0; i < writer->table_count; i++)
		writer->tables[i].row_in_file = writer->tables[i].row_taken;
	return 0;
}

/* Add a table's rows to the frame, and to further ones when it is full. */
static int flush_table(struct sw_writer *writer, struct table *table)
{
	while (table->row_taken < table->row_count) {
		size_t count = sw_tail_collect(
			&writer->tail, table->shape.table, table->row_taken,
			sw_encoder_rows(writer->encoder));

		count = sw_encoder_add(writer->encoder, &table->shape, count);
		table->row_taken += (uint32_t)count;
		if (count)
			continue;
		if (append_block(writer) < 0)
			return -1;
		sw_encoder_begin(writer->encoder);
	}
	return 0;
}

/* Flush all series, or all other tables. */
static int flush_some(struct sw_writer *writer, bool is_series)
{
	for (size_t i = 0; i < writer->table_count; i++)
		writer->tables[i].row_taken = writer->tables[i].row_in_file;
	sw_encoder_begin(writer->encoder);
	for (size_t i = 0; i < writer->table_count; i++)
		if (writer->tables[i].is_series == is_series &&
		    flush_table(writer, &writer->tables[i]) < 0)
			return -1;
	return append_block(writer);
}

static int flush_tables(struct sw_writer *writer)
{
	if (append_copies(writer, COPY_EVERY) < 0)
		return -1;
	for (size_t i = 0; i < writer->table_count; i++)
		if (!writer->tables[i].is_described &&
		    append_definition(writer, &writer->tables[i]) < 0)
			return -1;
	/* Small and valuable tables first, while there is room. */
	if (flush_some(writer, false) < 0)
		return -1;
	return flush_some(writer, true);
}

int sw_writer_flush(struct sw_writer *writer, uint64_t now_usec)
{
	int status = flush_tables(writer);
	int saved = errno;

	if (status < 0) {
		writer->retry_usec = now_usec + RETRY_USEC;
	} else {
		writer->retry_usec = 0;
		for (size_t i = 0; i < writer->table_count; i++) {
			writer->tables[i].row_count = 0;
			writer->tables[i].row_in_file = 0;
			writer->tables[i].row_taken = 0;
		}
		sw_tail_reset(&writer->tail);
	}
	note(writer);
	errno = saved;
	return status;
}

static uint64_t block_usec(const struct sw_writer *writer)
{
	if (!writer->stats.has_tail)
		return SW_BLOCK_USEC_NO_TAIL;
	return writer->fills_blocks ? UINT64_MAX : SW_BLOCK_USEC_MAX;
}

/* Flush unless that has just failed; the caller checks the room gained. */
static void flush_if_due(struct sw_writer *writer, uint64_t now_usec)
{
	if (now_usec >= writer->retry_usec)
		sw_writer_flush(writer, now_usec);
}

static bool has_room(const struct sw_writer *writer, const struct table *table,
		     size_t row_bytes)
{
	size_t room = sw_tail_room(&writer->tail);

	if (table->is_series)
		room = room > SERIES_RESERVE ? room - SERIES_RESERVE : 0;
	return row_bytes <= room;
}

void sw_writer_hold_series(struct sw_writer *writer)
{
	writer->holds_series = true;
}

void sw_writer_fill_blocks(struct sw_writer *writer)
{
	writer->fills_blocks = true;
}

static int drop_row(struct sw_writer *writer, uint64_t now_usec)
{
	writer->stats.rows_dropped++;
	if (sw_is_missing(writer->stats.first_drop_usec))
		writer->stats.first_drop_usec = now_usec;
	writer->stats.last_drop_usec = now_usec;
	note(writer);
	return -1;
}

int sw_writer_row(struct sw_writer *writer, int number,
		  const union sw_value *values, uint64_t now_usec)
{
	struct table *table;
	size_t bytes;

	if (number < 0 || (size_t)number >= writer->table_count) {
		errno = EINVAL;
		return drop_row(writer, now_usec);
	}
	table = &writer->tables[number];
	if (table->is_series && writer->holds_series) {
		errno = ENOSPC;
		return drop_row(writer, now_usec);
	}
	bytes = sw_tail_row_bytes(&table->shape, values);
	if (!bytes)
		return drop_row(writer, now_usec);
	if (writer->tail.used_bytes &&
	    (sw_excess_u64(now_usec, writer->block_start_usec) >=
		     block_usec(writer) ||
	     !has_room(writer, table, bytes)))
		flush_if_due(writer, now_usec);
	if (!has_room(writer, table, bytes)) {
		errno = ENOSPC;
		return drop_row(writer, now_usec);
	}
	if (!writer->tail.used_bytes)
		writer->block_start_usec = now_usec;
	sw_tail_append(&writer->tail, &table->shape, table->row_count, values,
		       bytes, now_usec);
	table->row_count++;
	writer->stats.rows_written++;
	return 0;
}

void sw_writer_stats(const struct sw_writer *writer,
		     struct sw_writer_stats *stats)
{
	*stats = writer->stats;
	stats->bytes_written = writer->output.end_bytes;
}

static int append_end(struct sw_writer *writer, uint64_t now_usec)
{
	uint8_t fixed[SW_END_FIXED_SIZE];
	struct sw_payload payload;

	sw_put_u64(fixed, writer->output.frame_count + 1);
	sw_put_u64(fixed + 8, writer->stats.rows_written);
	sw_put_u64(fixed + 16, writer->stats.rows_dropped);
	sw_put_u64(fixed + 24, writer->stats.first_drop_usec);
	sw_put_u64(fixed + 32, writer->stats.last_drop_usec);
	sw_put_u64(fixed + 40, now_usec);
	sw_encoder_wrap(writer->encoder, fixed, sizeof(fixed), NULL, 0,
			&payload);
	return sw_output_append(&writer->output, SW_FRAME_END, &payload);
}

int sw_writer_finish(struct sw_writer *writer, uint64_t now_usec,
		     struct sw_error *error)
{
	if (sw_writer_flush(writer, now_usec) < 0 ||
	    append_copies(writer, COPY_AT_END) < 0 ||
	    append_end(writer, now_usec) < 0) {
		note(writer);
		return sw_error_errno(
			error,
			"cannot complete the profile; what was recorded is in "
			"%s and %s",
			writer->names.part,
			writer->tail.is_shared ? writer->names.tail :
						 "nowhere else");
	}
	note(writer);
	return sw_names_finish(&writer->names, error);
}

int sw_writer_fd(const struct sw_writer *writer)
{
	return writer->output.fd;
}

void sw_writer_destroy(struct sw_writer *writer)
{
	int saved = errno;

	if (!writer)
		return;
	sw_output_close(&writer->output);
	sw_tail_close(&writer->tail);
	sw_pages_give(writer, sizeof(*writer));
	errno = saved;
}

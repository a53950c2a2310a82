/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decode the tables that a file describes, from frames of one or of all tables.
 * A frame that does not decode is damage; a copy may have its tables.
 */
#include "profiles/reader_internal.h"

#include <stdlib.h>

/* The first good definition of a number wins; later ones are copies. */
static bool take_definition(struct sw_reader *reader, const uint8_t *fixed,
			    const uint8_t *body, size_t size)
{
	struct sw_definition *definition;
	struct sw_reader_data *table;

	if (sw_get_u16(fixed) >= SW_PROFILE_TABLES_MAX)
		return false;
	table = &reader->tables[sw_get_u16(fixed)];
	if (table->definition)
		return true;
	definition = calloc(1, sizeof(*definition));
	if (!definition || !sw_definition_decode(definition, body, size)) {
		free(definition);
		return false;
	}
	definition->scope = (enum sw_scope)sw_get_u16(fixed + 2);
	table->definition = definition;
	return true;
}

static bool take_one_definition(struct sw_reader *reader,
				const struct sw_stretch *stretch)
{
	const uint8_t *fixed =
		reader->file.at + stretch->offset + SW_FRAME_HEAD_SIZE;
	size_t size = (size_t)stretch->length - SW_FRAME_HEAD_SIZE;

	return size >= SW_DEFINITION_FIXED_SIZE &&
	       sw_reader_unpack(reader, fixed + SW_DEFINITION_FIXED_SIZE,
				size - SW_DEFINITION_FIXED_SIZE,
				stretch->flags & SW_FRAME_FLAG_ZSTD,
				sw_get_u32(fixed + 4)) &&
	       take_definition(reader, fixed, reader->plain,
			       sw_get_u32(fixed + 4));
}

/* Take all definitions of a frame; those before a bad one are kept. */
static bool take_all_definitions(struct sw_reader *reader,
				 const struct sw_stretch *stretch)
{
	const uint8_t *fixed =
		reader->file.at + stretch->offset + SW_FRAME_HEAD_SIZE;
	size_t size = (size_t)stretch->length - SW_FRAME_HEAD_SIZE;
	const uint8_t *at = reader->plain;
	size_t left;

	if (size < SW_DEFINITIONS_FIXED_SIZE)
		return false;
	left = sw_get_u32(fixed);
	if (!sw_reader_unpack(reader, fixed + SW_DEFINITIONS_FIXED_SIZE,
			      size - SW_DEFINITIONS_FIXED_SIZE,
			      stretch->flags & SW_FRAME_FLAG_ZSTD, left))
		return false;
	while (left > 0) {
		size_t bytes;

		if (left < SW_DEFINITION_FIXED_SIZE)
			return false;
		left -= SW_DEFINITION_FIXED_SIZE;
		bytes = sw_get_u32(at + 4);
		if (bytes > left ||
		    !take_definition(reader, at, at + SW_DEFINITION_FIXED_SIZE,
				     bytes))
			return false;
		at += SW_DEFINITION_FIXED_SIZE + bytes;
		left -= bytes;
	}
	return true;
}

/* Take a definition for which the file had no room. */
static void take_from_tail(struct sw_reader *reader, uint32_t offset)
{
	const uint8_t *row = reader->tail.at + offset;
	const uint8_t *fixed = row + SW_TAIL_ROW_HEAD_SIZE;
	size_t room = sw_get_u32(row) - SW_TAIL_ROW_HEAD_SIZE;

	if (room >= SW_DEFINITION_FIXED_SIZE &&
	    sw_get_u32(fixed + 4) <= room - SW_DEFINITION_FIXED_SIZE)
		take_definition(reader, fixed, fixed + SW_DEFINITION_FIXED_SIZE,
				sw_get_u32(fixed + 4));
}

/* Names are unique: the first of two tables with the same name is kept. */
void sw_reader_take_definitions(struct sw_reader *reader)
{
	for (size_t i = 0; i < reader->stretch_count; i++) {
		struct sw_stretch *stretch = &reader->stretches[i];

		if (sw_reader_is_readable(stretch, SW_FRAME_DEFINITION))
			stretch->is_bad = !take_one_definition(reader, stretch);
		else if (sw_reader_is_readable(stretch, SW_FRAME_DEFINITIONS))
			stretch->is_bad =
				!take_all_definitions(reader, stretch);
	}
	for (size_t i = 0; i < reader->tail_row_count; i++)
		if (sw_reader_is_definition(reader, reader->tail_rows[i]))
			take_from_tail(reader, reader->tail_rows[i]);
	for (size_t i = 0; i < SW_PROFILE_TABLES_MAX; i++) {
		struct sw_definition *one = reader->tables[i].definition;

		for (size_t j = 0; one && j < i; j++) {
			struct sw_definition *other =
				reader->tables[j].definition;

			if (!other || strcmp(one->name, other->name) != 0)
				continue;
			free(one);
			reader->tables[i].definition = NULL;
			break;
		}
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check, encode and decode table descriptions.  The same limits apply to a
 * writer's tables and to a file's; a description that breaks one is refused.
 */
#include "profiles/definition.h"

#include <errno.h>
#include <string.h>

/* Is it a string of 1 to SW_NAME_SIZE_MAX - 1 bytes of [a-z0-9._]? */
static bool is_name(const char *text)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789._";
	size_t length;

	if (!text)
		return false;
	length = strnlen(text, SW_NAME_SIZE_MAX);
	return length > 0 && length < SW_NAME_SIZE_MAX &&
	       strspn(text, allowed) == length;
}

/* Is it printable ASCII of that length, or empty? */
static bool is_label(const char *text)
{
	size_t length = text ? strnlen(text, SW_NAME_SIZE_MAX) : 0;

	if (!text || length >= SW_NAME_SIZE_MAX)
		return false;
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return true;
}

static bool is_kind(unsigned int kind)
{
	return kind >= SW_KIND_COUNTER && kind <= SW_KIND_TEXT;
}

static int refuse(struct sw_error *error, const char *table, const char *why)
{
	errno = EINVAL;
	return sw_error_set(error, "table %.63s: %s", table, why);
}

static bool has_column_before(const struct sw_table *table, size_t column)
{
	for (size_t i = 0; i < column; i++)
		if (strcmp(table->columns[i].name,
			   table->columns[column].name) == 0)
			return true;
	return false;
}

static int check_columns(const struct sw_table *table, struct sw_error *error)
{
	size_t keys = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct sw_column *column = &table->columns[i];

		if (!is_name(column->name))
			return refuse(error, table->name,
				      "a column's name is too long or not of "
				      "[a-z0-9._]");
		if (!is_label(column->unit))
			return refuse(error, table->name,
				      "a unit is not printable or too long");
		if (!is_kind(column->kind))
			return refuse(error, table->name,
				      "a column is of an unknown kind");
		if (has_column_before(table, i))
			return refuse(error, table->name,
				      "two columns have the same name");
		keys += column->kind == SW_KIND_KEY;
	}
	if (keys > 1)
		return refuse(error, table->name, "more than one key column");
	return 0;
}

int sw_definition_check(const struct sw_table *table, struct sw_error *error)
{
	if (!is_name(table->name))
		return refuse(error, "?",
			      "the name is not of [a-z0-9._] or too long");
	if (!is_label(table->source))
		return refuse(error, table->name,
			      "the source is not printable or too long");
	if (table->scope < SW_SCOPE_NODE || table->scope > SW_SCOPE_PROGRAM)
		return refuse(error, table->name, "unknown scope");
	if (!table->columns || table->column_count == 0)
		return refuse(error, table->name, "no columns");
	if (table->column_count > SW_TABLE_COLUMNS_MAX)
		return refuse(error, table->name, "too many columns");
	return check_columns(table, error);
}

static uint8_t *put_string(uint8_t *at, const uint8_t *end, const char *text)
{
	size_t length = strlen(text);

	if (!at || (size_t)(end - at) < length + 1)
		return NULL;
	*at++ = (uint8_t)length;
	memcpy(at, text, length);
	return at + length;
}

static uint8_t *put_byte(uint8_t *at, const uint8_t *end, size_t byte)
{
	if (!at || at == end)
		return NULL;
	*at++ = (uint8_t)byte;
	return at;
}

size_t sw_definition_encode(const struct sw_table *table, uint8_t *body,
			    size_t room)
{
	const uint8_t *end = body + room;
	uint8_t *at = body;

	at = put_string(at, end, table->name);
	at = put_string(at, end, table->source);
	at = put_byte(at, end, table->column_count);
	for (size_t i = 0; i < table->column_count; i++) {
		at = put_byte(at, end, table->columns[i].kind);
		at = put_string(at, end, table->columns[i].name);
		at = put_string(at, end, table->columns[i].unit);
	}
	return at ? (size_t)(at - body) : 0;
}

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
};

static bool get_byte(struct cursor *cursor, unsigned int *byte)
{
	if (cursor->at == cursor->end)
		return false;
	*byte = *cursor->at++;
	return true;
}

/* Read a string into a buffer of SW_NAME_SIZE_MAX. */
static bool get_string(struct cursor *cursor, char *text)
{
	unsigned int length;

	if (!get_byte(cursor, &length) || length >= SW_NAME_SIZE_MAX ||
	    (size_t)(cursor->end - cursor->at) < length ||
	    memchr(cursor->at, 0, length))
		return false;
	memcpy(text, cursor->at, length);
	text[length] = '\0';
	cursor->at += length;
	return true;
}

enum { NAME_BEGIN = sizeof(uint64_t) };

/* Names are filled up with zeros, and most differ within their first bytes. */
static bool is_same_name(const char *one, const char *two)
{
	return memcmp(one, two, NAME_BEGIN) == 0 && strcmp(one, two) == 0;
}

static bool is_unique(const struct sw_definition *definition, size_t column)
{
	const struct sw_definition_column *columns = definition->columns;

	for (size_t i = 0; i < column; i++)
		if (is_same_name(columns[i].name, columns[column].name) ||
		    (columns[i].kind == SW_KIND_KEY &&
		     columns[column].kind == SW_KIND_KEY))
			return false;
	return true;
}

bool sw_definition_decode(struct sw_definition *definition,
			  const uint8_t *body, size_t size)
{
	struct cursor cursor = { body, body + size };
	unsigned int count;

	if (!get_string(&cursor, definition->name) ||
	    !is_name(definition->name) ||
	    !get_string(&cursor, definition->source) ||
	    !is_label(definition->source) || !get_byte(&cursor, &count) ||
	    count == 0 || count > SW_TABLE_COLUMNS_MAX)
		return false;
	definition->column_count = count;
	for (size_t i = 0; i < count; i++) {
		struct sw_definition_column *column = &definition->columns[i];
		unsigned int kind;

		if (!get_byte(&cursor, &kind) || !is_kind(kind) ||
		    !get_string(&cursor, column->name) ||
		    !is_name(column->name) ||
		    !get_string(&cursor, column->unit) ||
		    !is_label(column->unit))
			return false;
		column->kind = (enum sw_kind)kind;
		if (!is_unique(definition, i))
			return false;
	}
	return cursor.at == cursor.end;
}

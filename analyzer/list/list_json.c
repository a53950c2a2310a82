/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert the lines of "stepwell list" to JSON. */
#include <stdio.h>
#include <string.h>

#include "analyzer/list/list_print.h"
#include "analyzer/print/json.h"

enum { WORD_SIZE = 128 };

static void add_texts(struct json_object *item, const char *key,
		      const char *texts)
{
	struct json_object *array;
	char word[WORD_SIZE];
	size_t length;

	if (!texts)
		return;
	array = sw_json_array(item, key);
	for (; *texts; texts += length + (texts[length] == ' ')) {
		length = strcspn(texts, " ");
		snprintf(word, sizeof(word), "%.*s", (int)length, texts);
		sw_json_append_text(array, word);
	}
}

static void add_value(struct json_object *item, const struct sw_list_row *row,
		      enum sw_list_column_id id)
{
	const struct sw_list_column *column = &sw_list_columns[id];
	const union sw_list_value *value = &row->values[id];

	switch (column->kind) {
	case SW_LIST_TEXT:
	case SW_LIST_WORDS:
		sw_json_text(item, column->name, value->text);
		break;
	case SW_LIST_TEXTS:
		add_texts(item, column->name, value->text);
		break;
	case SW_LIST_NUMBER:
	case SW_LIST_BYTES:
		sw_json_number(item, column->name, value->number);
		break;
	case SW_LIST_BOOL:
		if (!sw_list_is_missing(row, id))
			sw_json_bool(item, column->name, value->number);
		break;
	case SW_LIST_DURATION:
	case SW_LIST_TIME:
		sw_json_seconds(item, column->name, value->number);
		break;
	case SW_LIST_REAL:
	case SW_LIST_RATIO:
		sw_json_double(item, column->name, value->real);
		break;
	}
}

void sw_list_add_json(struct json_object *array, struct sw_list_rows *rows,
		      const struct sw_list_format *format, bool has_parts)
{
	struct json_object *item;
	size_t i, j;

	for (i = 0; i < rows->count; i++) {
		item = has_parts ? rows->items[i].parts : NULL;
		if (item)
			rows->items[i].parts = NULL;
		else
			item = sw_json_new();
		for (j = 0; j < format->count; j++)
			add_value(item, &rows->items[i],
				  format->items[j].column);
		sw_json_append(array, item);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON output of everything with --json. */
#include "analyzer/print/json.h"

#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/escape.h"
#include "common/missing.h"
#include "common/units.h"

struct json_object *sw_json_new(void)
{
	return json_object_new_object();
}

static void add(struct json_object *object, const char *key,
		struct json_object *value)
{
	if (json_object_object_add(object, key, value) < 0)
		json_object_put(value);
}

/*
 * JSON is UTF-8; names may not be.  Other bytes in a name are escaped as on a
 * terminal.
 */
void sw_json_text(struct json_object *object, const char *key,
		  const char *text)
{
	size_t size;
	char *shown;

	if (!text)
		return;
	size = strlen(text) * 4 + 1;
	shown = malloc(size + 1);
	if (!shown)
		return;
	add(object, key,
	    json_object_new_string(sw_escape_terminal(shown, size + 1, text)));
	free(shown);
}

void sw_json_number(struct json_object *object, const char *key,
		    uint64_t number)
{
	if (!sw_is_missing(number))
		add(object, key, json_object_new_uint64(number));
}

/* Format microseconds as seconds, with exactly six decimals. */
void sw_json_seconds(struct json_object *object, const char *key,
		     uint64_t usec)
{
	char text[48];

	if (sw_is_missing(usec))
		return;
	snprintf(text, sizeof(text), "%llu.%06llu",
		 (unsigned long long)(usec / SW_USEC_PER_SEC),
		 (unsigned long long)(usec % SW_USEC_PER_SEC));
	add(object, key,
	    json_object_new_double_s((double)usec / SW_USEC_PER_SEC, text));
}

/* Integers up to 2^53 are exact in a double. */
static bool is_whole(double value)
{
	return fabs(value) <= 9007199254740992.0 && floor(value) >= value;
}

void sw_json_double(struct json_object *object, const char *key, double value)
{
	char text[48];

	if (!isfinite(value))
		return;
	/* Bytes and counts exactly, ratios with significant digits. */
	snprintf(text, sizeof(text), is_whole(value) ? "%.0f" : "%.6g", value);
	add(object, key, json_object_new_double_s(value, text));
}

void sw_json_bool(struct json_object *object, const char *key, bool value)
{
	add(object, key, json_object_new_boolean(value));
}

struct json_object *sw_json_object(struct json_object *parent,
				   const char *key)
{
	struct json_object *child = json_object_new_object();

	add(parent, key, child);
	return child;
}

struct json_object *sw_json_array(struct json_object *parent, const char *key)
{
	struct json_object *child = json_object_new_array();

	add(parent, key, child);
	return child;
}

struct json_object *sw_json_item(struct json_object *array)
{
	struct json_object *item = json_object_new_object();

	json_object_array_add(array, item);
	return item;
}

void sw_json_append(struct json_object *array, struct json_object *item)
{
	json_object_array_add(array, item);
}

void sw_json_append_text(struct json_object *array, const char *text)
{
	json_object_array_add(array, json_object_new_string(text));
}

void sw_json_append_number(struct json_object *array, uint64_t number)
{
	json_object_array_add(array, json_object_new_uint64(number));
}

static void print(FILE *out, struct json_object *object, int flags)
{
	const char *text = json_object_to_json_string_ext(object,
		flags | JSON_C_TO_STRING_NOSLASHESCAPE);

	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(object);
}

void sw_json_print(FILE *out, struct json_object *object)
{
	print(out, object, JSON_C_TO_STRING_PRETTY);
}

void sw_json_print_line(FILE *out, struct json_object *object)
{
	print(out, object, JSON_C_TO_STRING_PLAIN);
}

const char *sw_json_line(struct json_object *object)
{
	return json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
}

struct json_object *sw_json_parse(const char *text)
{
	struct json_object *object = json_tokener_parse(text);

	if (object && !json_object_is_type(object, json_type_object)) {
		json_object_put(object);
		return NULL;
	}
	return object;
}

void sw_json_free(struct json_object *object)
{
	json_object_put(object);
}

const char *sw_json_get_text(const struct json_object *object,
			     const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}

const struct json_object *sw_json_get_item(const struct json_object *object,
					   const char *key, size_t index)
{
	struct json_object *array, *item;

	if (!json_object_object_get_ex(object, key, &array) ||
	    !json_object_is_type(array, json_type_array) ||
	    index >= json_object_array_length(array))
		return NULL;
	item = json_object_array_get_idx(array, index);
	return json_object_is_type(item, json_type_object) ? item : NULL;
}

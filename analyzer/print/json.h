/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON output of everything with --json.  Only json.c and report_json.c know
 * json-c; missing values are missing fields, never 0 or null.
 */
#ifndef SW_ANALYZER_JSON_H
#define SW_ANALYZER_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_object;

/* Allocate an object; NULL if out of memory. */
struct json_object *sw_json_new(void);

/* Set key unless the value is missing (NULL, SW_MISSING, NAN). */
void sw_json_text(struct json_object *object, const char *key,
		  const char *text);
void sw_json_number(struct json_object *object, const char *key,
		    uint64_t number);
void sw_json_seconds(struct json_object *object, const char *key,
		     uint64_t usec);
void sw_json_double(struct json_object *object, const char *key,
		    double value);
void sw_json_bool(struct json_object *object, const char *key, bool value);

/* Add an object or array as key. */
struct json_object *sw_json_object(struct json_object *parent,
				   const char *key);
struct json_object *sw_json_array(struct json_object *parent,
				  const char *key);
/* Append an object to an array. */
struct json_object *sw_json_item(struct json_object *array);

/* Append an existing object; the array takes ownership. */
void sw_json_append(struct json_object *array, struct json_object *item);

/* Append a trusted text, or a number, to an array. */
void sw_json_append_text(struct json_object *array, const char *text);
void sw_json_append_number(struct json_object *array, uint64_t number);

/* Print with a newline, and free. */
void sw_json_print(FILE *out, struct json_object *object);
/* Likewise, on one line. */
void sw_json_print_line(FILE *out, struct json_object *object);

/* The same text; it lives as long as the object. */
const char *sw_json_line(struct json_object *object);

/*
 * Parse an object from untrusted text; NULL if it is not one.  The getters
 * return NULL for missing values and other types; their results live as long as
 * the object.
 */
struct json_object *sw_json_parse(const char *text);
void sw_json_free(struct json_object *object);
const char *sw_json_get_text(const struct json_object *object,
			     const char *key);
const struct json_object *sw_json_get_item(const struct json_object *object,
					   const char *key, size_t index);

#endif

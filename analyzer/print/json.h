/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON of everything that has --json.  Only json.c and report_json.c know
 * json-c; an absent value is an absent field, never 0 or null.
 */
#ifndef SW_ANALYZER_JSON_H
#define SW_ANALYZER_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_object;

/* An object of struct members; NULL without memory. */
struct json_object *sw_json_new(void);

/* Set key unless the value is absent (NULL, SW_MISSING, NAN). */
void sw_json_text(struct json_object *object, const char *key,
		  const char *text);
void sw_json_number(struct json_object *object, const char *key,
		    uint64_t number);
void sw_json_seconds(struct json_object *object, const char *key,
		     uint64_t usec);
void sw_json_double(struct json_object *object, const char *key,
		    double value);
void sw_json_bool(struct json_object *object, const char *key, bool value);

/* An object or array below key. */
struct json_object *sw_json_object(struct json_object *parent,
				   const char *key);
struct json_object *sw_json_array(struct json_object *parent,
				  const char *key);
/* One more object at the end of an array. */
struct json_object *sw_json_item(struct json_object *array);

/* One that is there already; it is the array's from then on. */
void sw_json_append(struct json_object *array, struct json_object *item);

/* A text of ours, or a number, at the end of an array. */
void sw_json_append_text(struct json_object *array, const char *text);
void sw_json_append_number(struct json_object *array, uint64_t number);

/* Print, with a newline, and free. */
void sw_json_print(FILE *out, struct json_object *object);
/* The same, on one line. */
void sw_json_print_line(FILE *out, struct json_object *object);

/*
 * An object from text that others wrote; NULL where it is none.  The getters
 * give NULL for what is absent or of another type; what they give lives as
 * long as the object.
 */
struct json_object *sw_json_parse(const char *text);
void sw_json_free(struct json_object *object);
const char *sw_json_get_text(const struct json_object *object,
			     const char *key);
const struct json_object *sw_json_get_item(const struct json_object *object,
					   const char *key, size_t index);

#endif

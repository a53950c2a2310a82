/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON report: parts of a view by their tables of fields. */
#include "analyzer/report/json/report_json.h"

static void add_number(struct json_object *object, const struct sw_field *field,
		       uint64_t value)
{
	if (sw_is_missing(value))
		return;
	if (field->as == SW_AS_SECONDS)
		sw_json_seconds(object, field->key, value);
	else if (field->as == SW_AS_JOULES_OF_UJ)
		sw_json_double(object, field->key, (double)value / 1e6);
	else if (field->as == SW_AS_JOULES_OF_MJ)
		sw_json_double(object, field->key, (double)value / 1e3);
	else if (field->as == SW_AS_BOOL)
		sw_json_bool(object, field->key, value == 1);
	else if (field->as != SW_AS_COUNT || value)
		sw_json_number(object, field->key, value);
}

static void add_field(struct json_object *object, const struct sw_field *field,
		      const void *at)
{
	const char *text = at;

	if (field->type == SW_FIELD_NUMBER)
		add_number(object, field, *(const uint64_t *)at);
	else if (field->type == SW_FIELD_REAL)
		sw_json_double(object, field->key, *(const double *)at);
	else if (field->type == SW_FIELD_BOOL)
		sw_json_bool(object, field->key, *(const bool *)at);
	else if (field->type == SW_FIELD_TEXT)
		sw_json_text(object, field->key, *(const char *const *)at);
	else if (*text)
		sw_json_text(object, field->key, text);
}

const struct sw_field *sw_json_fields(struct json_object *object,
				      const struct sw_field *field,
				      const void *part)
{
	struct json_object *group = object;

	for (; field->type > SW_FIELD_STOP; field++) {
		if (field->type == SW_FIELD_GROUP)
			group = field->key ?
				sw_json_object(object, field->key) : object;
		else if (field->key)
			add_field(group, field,
				  (const char *)part + field->offset);
	}
	return field->type == SW_FIELD_STOP ? field + 1 : field;
}

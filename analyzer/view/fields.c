/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clear, read and add up parts of a view by their tables of fields. */
#include "analyzer/view/fields.h"

#include <math.h>

static void clear(void *at, enum sw_field_type type)
{
	if (type == SW_FIELD_NUMBER)
		*(uint64_t *)at = SW_MISSING;
	else if (type == SW_FIELD_REAL)
		*(double *)at = NAN;
	else if (type == SW_FIELD_BOOL)
		*(bool *)at = false;
	else if (type == SW_FIELD_TEXT)
		*(const char **)at = NULL;
	else if (type == SW_FIELD_CHARS)
		*(char *)at = '\0';
}

void sw_fields_clear(void *part, const struct sw_field *field)
{
	for (; field->type != SW_FIELD_END; field++)
		clear((char *)part + field->offset, field->type);
}

void sw_fields_read(void *part, const struct sw_field *field,
		    const struct sw_series *series, size_t row)
{
	for (; field->type != SW_FIELD_END; field++) {
		void *at = (char *)part + field->offset;

		if (!field->column)
			continue;
		if (field->type == SW_FIELD_TEXT)
			*(const char **)at =
				sw_series_text(series, row, field->column);
		else if (field->type == SW_FIELD_BOOL)
			*(bool *)at =
				sw_series_at(series, row, field->column) == 1;
		else
			*(uint64_t *)at =
				sw_series_at(series, row, field->column);
	}
}

static uint64_t fold_number(uint64_t sum, uint64_t value,
			    enum sw_field_fold fold)
{
	switch (fold) {
	case SW_FOLD_KNOWN:
		return sw_is_missing(sum) ? value : sum;
	case SW_FOLD_ADD:
		return sw_sum_u64(sum, value);
	case SW_FOLD_MAX:
		return sw_max_u64(sum, value);
	case SW_FOLD_MIN:
		return sw_min_u64(sum, value);
	case SW_FOLD_SAME:
		return sum == value ? value : SW_MISSING;
	default:
		return sum;
	}
}

void sw_fields_start(void *sum, const struct sw_field *field,
		     const void *first)
{
	for (; field->type != SW_FIELD_END; field++) {
		void *to = (char *)sum + field->offset;
		const void *from = (const char *)first + field->offset;

		if (field->fold == SW_FOLD_OWN)
			clear(to, field->type);
		else if (field->type == SW_FIELD_NUMBER)
			*(uint64_t *)to = *(const uint64_t *)from;
		else if (field->type == SW_FIELD_BOOL)
			*(bool *)to = *(const bool *)from;
		else if (field->type == SW_FIELD_TEXT)
			*(const char **)to = *(const char *const *)from;
	}
}

void sw_fields_add(void *sum, const struct sw_field *field, const void *part)
{
	for (; field->type != SW_FIELD_END; field++) {
		void *to = (char *)sum + field->offset;
		const void *from = (const char *)part + field->offset;

		if (field->type == SW_FIELD_NUMBER)
			*(uint64_t *)to = fold_number(*(uint64_t *)to,
				*(const uint64_t *)from, field->fold);
		else if (field->fold == SW_FOLD_ANY)
			*(bool *)to |= *(const bool *)from;
		else if (field->fold == SW_FOLD_ALL)
			*(bool *)to &= *(const bool *)from;
		else if (field->fold == SW_FOLD_KNOWN && !*(char **)to)
			*(const char **)to = *(const char *const *)from;
	}
}

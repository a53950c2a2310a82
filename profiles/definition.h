/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Table descriptions: their limits and their encoding in a profile. */
#ifndef SW_PROFILES_DEFINITION_H
#define SW_PROFILES_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "profiles/table.h"

struct sw_definition_column {
	char name[SW_NAME_SIZE_MAX];
	char unit[SW_NAME_SIZE_MAX];
	enum sw_kind kind;
};

struct sw_definition {
	char name[SW_NAME_SIZE_MAX];
	char source[SW_NAME_SIZE_MAX];
	enum sw_scope scope;
	size_t column_count;
	struct sw_definition_column columns[SW_TABLE_COLUMNS_MAX];
};

/* Return 0, or -1 with errno EINVAL and *error if table breaks a limit. */
int sw_definition_check(const struct sw_table *table, struct sw_error *error);

/* Encode into body; returns its size, or 0 if room is too small. */
size_t sw_definition_encode(const struct sw_table *table, uint8_t *body,
			    size_t room);

/*
 * Fill a zeroed definition, all fields but scope; false if the bytes are no
 * valid table.
 */
bool sw_definition_decode(struct sw_definition *definition,
			  const uint8_t *body, size_t size);

#endif

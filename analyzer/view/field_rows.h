/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Macros for the rows of view_fields*.c, which alone include this. */
#ifndef SW_ANALYZER_FIELD_ROWS_H
#define SW_ANALYZER_FIELD_ROWS_H

#include "analyzer/view/view_internal.h"

#define TYPE(member)                                                           \
	_Generic((member), uint64_t: SW_FIELD_NUMBER, double: SW_FIELD_REAL,   \
		 bool: SW_FIELD_BOOL, const char *: SW_FIELD_TEXT,             \
		 char *: SW_FIELD_CHARS)
#define ROW(type, member, column, as, fold, key)                               \
	{ key, column, offsetof(struct type, member),                          \
	  TYPE(((struct type *)NULL)->member), SW_AS_##as, SW_FOLD_##fold }

/* FIELD: a member of a part.  COLUMN: one read unchanged from a column. */
#define FIELD(part, member, as, fold, key) \
	ROW(sw_view_##part, member, NULL, as, fold, key)
#define COLUMN(part, member, column, as, fold, key) \
	ROW(sw_view_##part, member, column, as, fold, key)
#define GROUP(key) { key, NULL, 0, SW_FIELD_GROUP, SW_AS_IS, SW_FOLD_OWN }
#define STOP { NULL, NULL, 0, SW_FIELD_STOP, SW_AS_IS, SW_FOLD_OWN }
#define END { NULL, NULL, 0, SW_FIELD_END, SW_AS_IS, SW_FOLD_OWN }

#endif

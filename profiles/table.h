/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vocabulary of a profile: tables, rows and columns.  A table describes itself
 * in the file, so that a reader needs no list of counters.
 */
#ifndef SW_PROFILES_TABLE_H
#define SW_PROFILES_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "common/missing.h"

enum {
	SW_TABLE_COLUMNS_MAX = 96,	/* columns of one table */
	SW_PROFILE_TABLES_MAX = 64,	/* tables of one profile */
	SW_NAME_SIZE_MAX = 64,		/* a name, including NUL */
	SW_TEXT_SIZE_MAX = 1024,	/* a text value, including NUL */
};

/* Kind of a column's values.  Numbers are part of the format: never reuse. */
enum sw_kind {
	SW_KIND_COUNTER = 1,	/* grows from an arbitrary start; use rates */
	SW_KIND_GAUGE = 2,	/* a level at the time of the row */
	SW_KIND_PEAK = 3,	/* high-water mark so far */
	SW_KIND_STATE = 4,	/* a code, a flag or an identifier */
	SW_KIND_TIME = 5,	/* microseconds of CLOCK_BOOTTIME */
	SW_KIND_KEY = 6,	/* subject of the row; at most one a table */
	SW_KIND_TEXT = 7,	/* bytes without NUL; untrusted when read */
};

/* Subject of a table's rows. */
enum sw_scope {
	SW_SCOPE_NODE = 1,
	SW_SCOPE_JOB = 2,
	SW_SCOPE_STEP = 3,
	SW_SCOPE_TASK = 4,
	SW_SCOPE_PROGRAM = 5,
};

struct sw_column {
	const char *name;	/* the kernel's own name if there is one */
	const char *unit;	/* "bytes", "usec", "count", "" */
	enum sw_kind kind;
	const char *help;	/* one sentence; not stored in the file */
};

/*
 * A table: its columns in the order of a row's values.  Names consist of
 * [a-z0-9._]; "series.<source>" for the samples of a counter source.
 */
struct sw_table {
	const char *name;
	enum sw_scope scope;
	const char *source;	/* origin of the values: "cgroup.v2" */
	const struct sw_column *columns;
	size_t column_count;
};

/* Value of a column; text is used if the column is SW_KIND_TEXT. */
union sw_value {
	uint64_t number;	/* SW_MISSING if there is none */
	const char *text;	/* NULL if there is none */
};

#endif

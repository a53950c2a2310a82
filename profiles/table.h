/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vocabulary of a profile: tables of rows of columns.  A table describes
 * itself in the file, so that a reader needs no list of counters.
 */
#ifndef SW_PROFILES_TABLE_H
#define SW_PROFILES_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "common/missing.h"

enum {
	SW_TABLE_COLUMNS_MAX = 96,	/* columns of one table */
	SW_PROFILE_TABLES_MAX = 64,	/* tables of one profile */
	SW_NAME_SIZE_MAX = 64,		/* a name, with its NUL */
	SW_TEXT_SIZE_MAX = 1024,	/* a text value, with its NUL */
};

/* What a column's values are.  The numbers are of the format: never reuse. */
enum sw_kind {
	SW_KIND_COUNTER = 1,	/* grows from an arbitrary start; rates matter */
	SW_KIND_GAUGE = 2,	/* a level at the time of the row */
	SW_KIND_PEAK = 3,	/* a high-water mark so far */
	SW_KIND_STATE = 4,	/* a code, a flag or an identifier */
	SW_KIND_TIME = 5,	/* microseconds of CLOCK_BOOTTIME */
	SW_KIND_KEY = 6,	/* what the row is about; at most one a table */
	SW_KIND_TEXT = 7,	/* bytes without NUL; hostile to the reader */
};

/* What a table's rows are about. */
enum sw_scope {
	SW_SCOPE_NODE = 1,
	SW_SCOPE_JOB = 2,
	SW_SCOPE_STEP = 3,
	SW_SCOPE_TASK = 4,
	SW_SCOPE_PROGRAM = 5,
};

struct sw_column {
	const char *name;	/* the kernel's own name where there is one */
	const char *unit;	/* "bytes", "usec", "count", "" */
	enum sw_kind kind;
	const char *help;	/* one sentence; not stored in the file */
};

/*
 * A table: its columns in the order of a row's values.  Names are of
 * [a-z0-9._]; "series.<source>" for what a counter source samples.
 */
struct sw_table {
	const char *name;
	enum sw_scope scope;
	const char *source;	/* where the values come from: "cgroup.v2" */
	const struct sw_column *columns;
	size_t column_count;
};

/* One value of a row; text is used where the column is SW_KIND_TEXT. */
union sw_value {
	uint64_t number;	/* SW_MISSING where there is none */
	const char *text;	/* NULL where there is none */
};

#endif

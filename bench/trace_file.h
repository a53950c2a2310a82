/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recorded trace: a header, the columns, then the values as plain 64-bit
 * little-endian words in the order tick, task, column.  It has no encoding at
 * all, to be neutral between the compared formats.  The first column is the
 * time of the row; it is not a sample, and each format stores times in its own
 * way.
 */
#ifndef BENCH_TRACE_FILE_H
#define BENCH_TRACE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "profiles/table.h"

enum {
	TRACE_NAME_SIZE = 48,
	TRACE_UNIT_SIZE = 8,
	TRACE_COLUMNS_MAX = 64,
};

/* The first column, recognized by its kind. */
extern const struct sw_column trace_file_time_column;

/* Numbers are little endian. */
struct trace_file_header {
	uint64_t magic;
	uint64_t period_usec;
	uint64_t tick_count;
	uint64_t task_count;
	uint64_t column_count;
};

struct trace_file_column {
	char name[TRACE_NAME_SIZE];	/* NUL-terminated */
	char unit[TRACE_UNIT_SIZE];
	uint64_t kind;			/* enum sw_kind */
};

/* A whole trace in memory, in the order of the file. */
struct trace {
	uint64_t period_usec;
	uint64_t tick_count;
	uint64_t task_count;
	uint64_t column_count;
	struct sw_column columns[TRACE_COLUMNS_MAX];
	uint64_t *values;
	struct trace_file_column *stored_columns;	/* owns the names */
};

static inline const uint64_t *trace_row(const struct trace *trace,
					uint64_t tick, uint64_t task)
{
	return trace->values + (tick * trace->task_count + task) *
		trace->column_count;
}

/* Read a file; 0, or -1 with *error.  Freed by trace_file_free(). */
int trace_file_read(const char *path, struct trace *trace,
		    struct sw_error *error);
void trace_file_free(struct trace *trace);

/*
 * Write the header and the columns of a trace; its values are not used.  Can be
 * repeated if the final number of ticks differs.
 */
int trace_file_write_header(int fd, const struct trace *trace);

/* Append count words at the file's position. */
int trace_file_write_values(int fd, const uint64_t *values, size_t count);

#endif

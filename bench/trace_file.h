/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recorded trace: a header, the columns, then the values as plain 64-bit
 * little-endian words in the order tick, task, column.  No coding at all, so
 * that it is the neutral ground between the formats that are compared.  The
 * first column is the time of the row; it is no sample of anything, and each
 * format keeps times in its own way.
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

/* What the first column is called, to be told by its kind. */
extern const struct sw_column trace_file_time_column;

/* The numbers are little endian. */
struct trace_file_header {
	uint64_t magic;
	uint64_t period_usec;
	uint64_t tick_count;
	uint64_t task_count;
	uint64_t column_count;
};

struct trace_file_column {
	char name[TRACE_NAME_SIZE];	/* ends with a NUL */
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

/* Reads a file; 0, or -1 with *error.  Undone by trace_file_free(). */
int trace_file_read(const char *path, struct trace *trace,
		    struct sw_error *error);
void trace_file_free(struct trace *trace);

/*
 * Writes the header and the columns of a trace; its values are not used.
 * May be repeated when the number of ticks has turned out otherwise.
 */
int trace_file_write_header(int fd, const struct trace *trace);

/* Appends count words at the file's position. */
int trace_file_write_values(int fd, const uint64_t *values, size_t count);

#endif

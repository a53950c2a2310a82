/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of one read of a counter source: a single one for most sources, for
 * others one per device, mount or task.
 */
#ifndef SW_RECORDER_ROWS_H
#define SW_RECORDER_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "recorder/kernel/kernfile.h"

/* Limit of row indices; SW_MISSING for sources with a single row */
enum { SW_SUBJECTS_MAX = 256 };

/* Subject of the rows of an index.  Strings are untrusted. */
struct sw_subject {
	char kind[16];		/* "mount", "gpu", "task" */
	char name[256];		/* "/home" */
	char detail[768];	/* "nfs4 server:/export"; "": none */
};

struct sw_rows {
	size_t column_count, max;
	size_t count;
	uint64_t left_out;	/* rows beyond max, in this read */
	uint64_t *cells;	/* max times an index and its values */
};

/* Return the memory needed for the cells of max rows. */
size_t sw_rows_bytes(size_t column_count, size_t max);

/*
 * Add a row, with all values SW_MISSING.  Return NULL, and count it as left
 * out, if there is no room or the index is invalid.
 */
uint64_t *sw_rows_add(struct sw_rows *rows, uint64_t index);

/*
 * Add a row for each index below count for which read() returns OK; it gets
 * values set to SW_MISSING.  If there are no rows, return GARBAGE if any read
 * returned that, otherwise GONE.
 */
enum sw_read_status
sw_rows_each(struct sw_rows *rows, size_t count,
	     enum sw_read_status (*read)(void *state, size_t index,
					 uint64_t *values), void *state);

uint64_t sw_rows_index(const struct sw_rows *rows, size_t row);
const uint64_t *sw_rows_values(const struct sw_rows *rows, size_t row);

#endif

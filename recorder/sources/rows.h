/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of one read of a counter source: of most sources one, of others one
 * per device, mount or task.
 */
#ifndef SW_RECORDER_ROWS_H
#define SW_RECORDER_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "recorder/kernel/kernfile.h"

/* Rows have an index below this; SW_MISSING where a source has only one. */
enum { SW_SUBJECTS_MAX = 256 };

/* What the rows of an index are about.  Hostile texts. */
struct sw_subject {
	char kind[16];		/* "mount", "gpu", "task" */
	char name[256];		/* "/home" */
	char detail[768];	/* "nfs4 server:/export"; "" if there is none */
};

struct sw_rows {
	size_t column_count, max;
	size_t count;
	uint64_t left_out;	/* beyond max, at this read */
	uint64_t *cells;	/* max times an index and its values */
};

/* Memory for the cells of max rows. */
size_t sw_rows_bytes(size_t column_count, size_t max);

/*
 * The values of a new row, all SW_MISSING; NULL where there is no room or the
 * index is none: it is counted then.
 */
uint64_t *sw_rows_add(struct sw_rows *rows, uint64_t index);

/*
 * A row for each index below count whose values read() has; the values it is
 * handed are SW_MISSING.  Without any: GARBAGE where one was that, else GONE.
 */
enum sw_read_status
sw_rows_each(struct sw_rows *rows, size_t count,
	     enum sw_read_status (*read)(void *state, size_t index,
					 uint64_t *values), void *state);

uint64_t sw_rows_index(const struct sw_rows *rows, size_t row);
const uint64_t *sw_rows_values(const struct sw_rows *rows, size_t row);

#endif

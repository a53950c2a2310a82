/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A counter source at work: its state, and the rows of its last read. */
#ifndef SW_RECORDER_READING_H
#define SW_RECORDER_READING_H

#include "profiles/writer.h"
#include "recorder/sources/source.h"

struct sw_reading {
	const struct sw_source *source;
	void *state;
	struct sw_rows rows;
};

/* The source's own words for a status; NULL where it has none. */
const char *sw_source_reason(const struct sw_source *source, const void *state,
			     enum sw_read_status status);

/* Memory for one, a multiple of what any state has to be aligned to. */
size_t sw_reading_bytes(const struct sw_source *source);

/* memory is of that size and zeroed, and outlives the reading. */
void sw_reading_init(struct sw_reading *reading,
		     const struct sw_source *source, void *memory);

enum sw_read_status sw_reading_open(struct sw_reading *reading,
				    const struct sw_target *target);

/* The rows are those of this read; none where it is not SW_READ_OK. */
enum sw_read_status sw_reading_take(struct sw_reading *reading,
				    const struct sw_target *target);

/* False: nothing is known of that index. */
bool sw_reading_describe(const struct sw_reading *reading, uint64_t index,
			 struct sw_subject *subject);

/* Has it changed who an index is about? */
bool sw_reading_is_renamed(const struct sw_reading *reading, uint64_t index);

/* Before the source's own columns: time_usec, step, and with rows subject. */
enum { SW_READING_SUBJECT = 2 };
size_t sw_reading_first_column(const struct sw_source *source);

/* The source's own column of that name; column_count: it has none. */
size_t sw_source_column(const struct sw_source *source, const char *name);

/* A source's table, and what it points to. */
#define SW_READING_PREFIX "series."
struct sw_reading_layout {
	struct sw_table table;
	char name[SW_NAME_SIZE_MAX];
	struct sw_column columns[SW_TABLE_COLUMNS_MAX];
};

/* What its table is like, where backend reads it.  0, or -1 with *error. */
int sw_reading_layout(struct sw_reading_layout *layout,
		      const struct sw_source *source, const char *backend,
		      struct sw_error *error);

/* Define its table "series.<name>"; the number of it, or -1 with *error. */
int sw_reading_table(const struct sw_source *source, const char *backend,
		     struct sw_writer *writer, struct sw_error *error);

void sw_reading_close(struct sw_reading *reading);

#endif

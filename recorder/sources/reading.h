/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open counter source: its state, and the rows of its last read. */
#ifndef SW_RECORDER_READING_H
#define SW_RECORDER_READING_H

#include "profiles/writer.h"
#include "recorder/sources/source.h"

struct sw_reading {
	const struct sw_source *source;
	void *state;
	struct sw_rows rows;
};

/* Return the source's reason for a status, or NULL. */
const char *sw_source_reason(const struct sw_source *source, const void *state,
			     enum sw_read_status status);

/* Return the memory needed, a multiple of the alignment of any state. */
size_t sw_reading_bytes(const struct sw_source *source);

/* memory has that size, is zeroed, and must outlive the reading. */
void sw_reading_init(struct sw_reading *reading,
		     const struct sw_source *source, void *memory);

enum sw_read_status sw_reading_open(struct sw_reading *reading,
				    const struct sw_target *target);

/* Read the rows; there are none unless the result is SW_READ_OK. */
enum sw_read_status sw_reading_take(struct sw_reading *reading,
				    const struct sw_target *target);

/* Return false if nothing is known about the index. */
bool sw_reading_describe(const struct sw_reading *reading, uint64_t index,
			 struct sw_subject *subject);

/* Return whether the subject of an index has changed. */
bool sw_reading_is_renamed(const struct sw_reading *reading, uint64_t index);

/* Columns before the source's own: time_usec, step, and with rows subject. */
enum { SW_READING_SUBJECT = 2 };
size_t sw_reading_first_column(const struct sw_source *source);

/* Return the source's own column of that name, or column_count. */
size_t sw_source_column(const struct sw_source *source, const char *name);

/* A source's table, and the memory it points to */
#define SW_READING_PREFIX "series."
struct sw_reading_layout {
	struct sw_table table;
	char name[SW_NAME_SIZE_MAX];
	struct sw_column columns[SW_TABLE_COLUMNS_MAX];
};

/* Build the table for a source and backend.  Return 0, or -1 with *error. */
int sw_reading_layout(struct sw_reading_layout *layout,
		      const struct sw_source *source, const char *backend,
		      struct sw_error *error);

/* Define the table "series.<name>".  Return its number, or -1 with *error. */
int sw_reading_table(const struct sw_source *source, const char *backend,
		     struct sw_writer *writer, struct sw_error *error);

void sw_reading_close(struct sw_reading *reading);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open counter source. */
#include "recorder/sources/reading.h"

#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 16 };

static size_t aligned(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t rows_max(const struct sw_source *source)
{
	return source->read_rows ? source->rows_max : 1;
}

const char *sw_source_reason(const struct sw_source *source, const void *state,
			     enum sw_read_status status)
{
	const char *reason = status == SW_READ_ABSENT ? source->absence : NULL;

	if (source->reason)
		reason = source->reason(state, status);
	return reason && reason[0] ? reason : NULL;
}

size_t sw_reading_bytes(const struct sw_source *source)
{
	return aligned(source->state_size) +
	       aligned(sw_rows_bytes(source->column_count, rows_max(source)));
}

void sw_reading_init(struct sw_reading *reading,
		     const struct sw_source *source, void *memory)
{
	char *behind = (char *)memory + aligned(source->state_size);

	*reading = (struct sw_reading){
		.source = source,
		.state = memory,
		.rows = {
			.column_count = source->column_count,
			.max = rows_max(source),
			.cells = (void *)behind,
		},
	};
}

enum sw_read_status sw_reading_open(struct sw_reading *reading,
				    const struct sw_target *target)
{
	return reading->source->open(reading->state, target);
}

enum sw_read_status sw_reading_take(struct sw_reading *reading,
				    const struct sw_target *target)
{
	const struct sw_source *source = reading->source;
	enum sw_read_status status;

	reading->rows.count = reading->rows.left_out = 0;
	if (source->read_rows)
		status = source->read_rows(reading->state, target,
					   &reading->rows);
	else
		status = source->read(reading->state, target,
				      sw_rows_add(&reading->rows,
						  SW_MISSING));
	if (status != SW_READ_OK)
		reading->rows.count = 0;
	return status;
}

bool sw_reading_describe(const struct sw_reading *reading, uint64_t index,
			 struct sw_subject *subject)
{
	const struct sw_source *source = reading->source;

	memset(subject, 0, sizeof(*subject));
	return source->describe &&
	       source->describe(reading->state, index, subject);
}

bool sw_reading_is_renamed(const struct sw_reading *reading, uint64_t index)
{
	const struct sw_source *source = reading->source;

	return source->is_renamed &&
	       source->is_renamed(reading->state, index);
}

size_t sw_reading_first_column(const struct sw_source *source)
{
	return SW_READING_SUBJECT + (source->read_rows ? 1 : 0);
}

size_t sw_source_column(const struct sw_source *source, const char *name)
{
	size_t i;

	for (i = 0; i < source->column_count; i++) {
		if (!strcmp(source->columns[i].name, name))
			break;
	}
	return i;
}

int sw_reading_layout(struct sw_reading_layout *layout,
		      const struct sw_source *source, const char *backend,
		      struct sw_error *error)
{
	static const struct sw_column common[] = {
		{ "time_usec", "usec", SW_KIND_TIME, "When it was read." },
		{ "step", "", SW_KIND_KEY, "The step." },
		[SW_READING_SUBJECT] = { "subject", "", SW_KIND_STATE,
		  "What the row is about: see the table subjects." },
	};
	size_t first = sw_reading_first_column(source);

	layout->table = (struct sw_table){
		.name = layout->name,
		.scope = source->scope,
		.source = backend,
		.columns = layout->columns,
		.column_count = first + source->column_count,
	};
	if (layout->table.column_count > SW_TABLE_COLUMNS_MAX)
		return sw_error_set(error, "source %s has too many columns",
				    source->name);
	snprintf(layout->name, sizeof(layout->name), SW_READING_PREFIX "%s",
		 source->name);
	memcpy(layout->columns, common, first * sizeof(*common));
	memcpy(layout->columns + first, source->columns,
	       source->column_count * sizeof(*common));
	return 0;
}

int sw_reading_table(const struct sw_source *source, const char *backend,
		     struct sw_writer *writer, struct sw_error *error)
{
	struct sw_reading_layout layout;

	if (sw_reading_layout(&layout, source, backend, error) < 0)
		return -1;
	return sw_writer_table(writer, &layout.table, error);
}

void sw_reading_close(struct sw_reading *reading)
{
	const struct sw_source *source = reading->source;
	struct sw_kernfile *files = reading->state;
	size_t i;

	for (i = 0; i < source->file_count; i++)
		sw_kernfile_close(&files[i]);
	if (source->close)
		source->close(reading->state);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of a node's day as stored in its file, in some 350 bytes each: numbers
 * of the columns that are read, and texts by their id in a table.
 */
#ifndef SW_ANALYZER_STEP_ROWS_H
#define SW_ANALYZER_STEP_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/keyed/texts.h"
#include "common/limits.h"
#include "common/summary_fields.h"
#include "profiles/reader.h"

/* A member for each column that is read. */
#define SW_STEP_TEXT_NIGHT(name) uint32_t name;
#define SW_STEP_TEXT_OTHERS(name) uint32_t name;
#define SW_STEP_TEXT_NEVER(name)
#define SW_STEP_TEXT(name, size, readers, help) SW_STEP_TEXT_##readers(name)
#define SW_STEP_NUMBER_NIGHT(name) uint64_t name;
#define SW_STEP_NUMBER_OTHERS(name) uint64_t name;
#define SW_STEP_NUMBER_NEVER(name)
#define SW_STEP_NUMBER(name, unit, kind, readers, help) \
	SW_STEP_NUMBER_##readers(name)
#define SW_STEP_NO_TEXT(name, size, readers, help)
#define SW_STEP_NO_NUMBER(name, unit, kind, readers, help)

struct sw_step_row {
	uint32_t node;
	/* In a struct sw_texts; that of "" if the row has none. */
	SW_SUMMARY_JOB_FIELDS(SW_STEP_TEXT, SW_STEP_NO_NUMBER)
	SW_SUMMARY_STEP_FIELDS(SW_STEP_TEXT, SW_STEP_NO_NUMBER)
	SW_SUMMARY_LAST_FIELDS(SW_STEP_TEXT, SW_STEP_NO_NUMBER)
	uint32_t is_correction;
	uint32_t next;		/* for lists of rows */
	/* Or SW_MISSING. */
	SW_SUMMARY_JOB_FIELDS(SW_STEP_NO_TEXT, SW_STEP_NUMBER)
	SW_SUMMARY_STEP_FIELDS(SW_STEP_NO_TEXT, SW_STEP_NUMBER)
	SW_SUMMARY_LAST_FIELDS(SW_STEP_NO_TEXT, SW_STEP_NUMBER)
	uint64_t limited_usec[SW_LIMITED_BY_RESOURCES];
};

struct sw_step_rows_taker {
	struct sw_texts *texts;
	/* A nonzero result ends the reading. */
	int (*take)(void *context, const struct sw_step_row *row);
	void *context;
};

/* The columns of the night, for struct sw_reader_want. */
extern const struct sw_reader_only sw_step_rows_only;

/*
 * Read all rows of a node's day from path, with the columns that the reader
 * kept; the others are missing.  *unnamed counts rows without a step.
 * Return 0, the result of take(), or -1 (errno ENOMEM).
 */
int sw_step_rows_read(const struct sw_step_rows_taker *taker,
		      const struct sw_reader *reader, const char *path,
		      size_t *unnamed);

#endif

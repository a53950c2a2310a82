/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations shared by the reader's files.  They work in this order: the
 * bytes of file and tail, the frames in them, the tables' definitions, the
 * rows.
 */
#ifndef SW_PROFILES_READER_INTERNAL_H
#define SW_PROFILES_READER_INTERNAL_H

#include <zstd.h>

#include "profiles/definition.h"
#include "profiles/layout.h"
#include "profiles/reader.h"
#include "profiles/stream.h"
#include "profiles/writer.h"

#define SW_READER_FILE_MAX ((size_t)1 << 31)
#define SW_READER_TAIL_MAX ((size_t)SW_TAIL_HEAD_SIZE + SW_BLOCK_BYTES_MAX)
/* Bytes of decoded values; a recording that needs more is refused. */
#define SW_READER_VALUES_MAX ((size_t)1 << 32)
/*
 * Memory that any file may take, and beyond it the bytes allowed for each byte
 * of the file: 20 were measured for a step that sleeps, and a malicious file
 * reaches some thousands.
 */
#define SW_READER_VALUES_FREE ((size_t)128 << 20)
#define SW_READER_RATIO_MAX 256

/* Rows of one block of one table: a tail cannot hold more. */
#define SW_BLOCK_ROWS_MAX \
	(SW_BLOCK_BYTES_MAX / (SW_TAIL_ROW_HEAD_SIZE + SW_TAIL_SLOT_SIZE))

struct sw_bytes {
	const uint8_t *at;
	size_t size;
};

/* A frame with a good sum, or a range of bytes without one (is_bad). */
struct sw_stretch {
	uint64_t offset;
	uint64_t length;	/* with the head */
	uint16_t type;
	uint16_t flags;
	bool is_bad;
	bool is_unwanted;	/* has rows of unwanted tables only */
};

struct sw_reader_data {
	struct sw_definition *definition;	/* NULL: no such table */
	struct sw_reader_column *columns;
	uint64_t **numbers;	/* by column; NULL if it has texts */
	bool *is_passed;	/* by column: its rows are not kept */
	bool has_passed;	/* any such column */
	const char ***texts;	/* by column; NULL if it has numbers */
	size_t row_count;
	size_t row_capacity;
	size_t section_rows;	/* of the largest section, or 1 for a tail */
	uint64_t *in_file;	/* bit per row of the tail's block */
	bool is_unwanted;	/* decoded only to skip it */
	size_t block_rows;	/* of the block being counted */
};

/*
 * Return where the next rows of a numeric column go.  In a column that is not
 * kept each section overwrites the one before.
 */
static inline uint64_t *sw_reader_next(const struct sw_reader_data *table,
				       size_t column)
{
	return table->numbers[column] +
	       (table->is_passed[column] ? 0 : table->row_count);
}

struct sw_text_chunk {
	struct sw_text_chunk *next;
	size_t used;
	size_t size;
	char bytes[];
};

/* A text that was read; most are repeated within few rows. */
struct sw_recent_text {
	const char *text;	/* kept; NULL: none yet */
	size_t length;
};

enum { SW_RECENT_TEXTS_LOG = 10 };

struct sw_reader {
	struct sw_bytes file;
	struct sw_bytes tail;
	bool no_series, no_others;
	const struct sw_reader_only *only;
	size_t only_count;
	size_t values_left;	/* bytes of decoded values and texts */
	size_t values_held;
	size_t plain_left;	/* bytes that frames may still decompress to */
	bool is_over;		/* values_left or plain_left was exceeded */
	struct sw_reader_origin origin;
	uint64_t id;
	struct sw_stretch *stretches;
	size_t stretch_count;
	uint32_t *tail_rows;	/* offsets of the rows to deliver */
	size_t tail_row_count;
	uint32_t tail_generation;
	uint64_t tail_file_end;	/* file size recorded by the writer */
	uint64_t *values;	/* of all tables, column by column */
	struct sw_reader_data tables[SW_PROFILE_TABLES_MAX];
	struct sw_reader_table public_tables[SW_PROFILE_TABLES_MAX];
	struct sw_reader_data *public_data[SW_PROFILE_TABLES_MAX];
	size_t public_count;
	struct sw_reader_health health;
	struct sw_reader_gap *gaps;
	size_t gap_count;
	size_t gap_open_from;	/* gaps from here on lack before_usec */
	uint64_t last_usec;
	struct sw_text_chunk *texts;
	struct sw_recent_text recent[1 << SW_RECENT_TEXTS_LOG][2];
	ZSTD_DCtx *zstd;
	uint8_t *plain;		/* SW_PLAIN_MAX and its slack */
	struct sw_reader_scratch *scratch;	/* of reader_section.c */
};

/*
 * Parse a whole profile in memory; tail.at may be NULL.  The bytes are not
 * needed afterwards.
 */
struct sw_reader *sw_reader_parse(struct sw_bytes file, struct sw_bytes tail,
				  const struct sw_reader_want *want,
				  struct sw_error *error);

/* Subtract bytes from *left; if it is less, refuse the whole file. */
bool sw_reader_spend(struct sw_reader *reader, size_t *left, size_t bytes);

/* reader_scan.c: list every frame and bad range in file order. */
int sw_reader_scan(struct sw_reader *reader, struct sw_error *error);

/* Is the frame good, of this type, and of a supported version? */
bool sw_reader_is_readable(const struct sw_stretch *stretch,
			   unsigned int type);

/* reader_definitions.c: decode all tables; damaged frames become is_bad. */
void sw_reader_take_definitions(struct sw_reader *reader);

/* Does the tail's row at this offset hold a definition? */
static inline bool sw_reader_is_definition(const struct sw_reader *reader,
					   uint32_t offset)
{
	return sw_get_u16(reader->tail.at + offset + 4) == SW_TAIL_DEFINITION;
}

/*
 * reader_tables.c: make the columns of all tables, whose rows were counted.
 * Returns 0, or -1; is_over: they would be too large.
 */
int sw_reader_make_tables(struct sw_reader *reader);
/* Return what is wanted of a table; NULL: nothing is said of it. */
const struct sw_reader_only *sw_reader_find_only(const struct sw_reader *reader,
						 const char *table);

/* reader_tail.c: find the tail's rows; deliver those not in the file. */
int sw_reader_scan_tail(struct sw_reader *reader);
int sw_reader_take_tail(struct sw_reader *reader);

/*
 * reader_block.c: decode the rows of several tables, counted beforehand.
 * Returns 1 on success, 0 if damaged, -1 with errno.
 */
int sw_reader_take_block(struct sw_reader *reader,
			 const struct sw_stretch *stretch);
void sw_reader_count_block(struct sw_reader *reader,
			   struct sw_stretch *stretch);

/*
 * reader_section.c: decode the rows of one table in a block; the caller has
 * checked that there is room.  Returns as sw_reader_take_block().
 */
int sw_reader_take_section(struct sw_reader *reader,
			   struct sw_reader_data *table, size_t count,
			   struct sw_stream_source *source);
void sw_reader_begin_block(struct sw_reader *reader);
bool sw_reader_make_scratch(struct sw_reader *reader);

/* Decode texts; lengths are plus 1 (0: missing).  As sw_reader_take_block(). */
int sw_reader_take_texts(struct sw_reader *reader,
			 struct sw_stream_source *source,
			 const uint64_t *lengths, size_t count,
			 const char **texts);

/* Mark rows of the tail's own block, so that they are not delivered twice. */
void sw_reader_mark_in_file(const struct sw_reader *reader,
			    struct sw_reader_data *table, uint32_t generation,
			    uint32_t first_row, size_t count);

/*
 * Decompress the body after a payload's fixed part into reader->plain.  Returns
 * false if its size is not plain_size.
 */
bool sw_reader_unpack(struct sw_reader *reader, const uint8_t *body,
		      size_t size, bool is_packed, size_t plain_size);

/*
 * Set *taken to a NUL-terminated copy that lives as long as the reader.
 * Returns as sw_reader_take_block(); a text with a NUL is damaged.
 */
int sw_reader_take_text(struct sw_reader *reader, const uint8_t *text,
			size_t length, const char **taken);

/* Record a range without readable rows. */
int sw_reader_note_gap(struct sw_reader *reader, uint64_t offset,
		       uint64_t length);

/* Record good rows of these times: they end the gaps before them. */
void sw_reader_note_times(struct sw_reader *reader, uint64_t first_usec,
			  uint64_t last_usec);

#endif

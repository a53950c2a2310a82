/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the reader share.  The order of work: the bytes of file
 * and tail, then the frames in them, then the tables' definitions, then rows.
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
/* Bytes of decoded values; what a longer recording needs is not read. */
#define SW_READER_VALUES_MAX ((size_t)1 << 32)
/*
 * What a file may become in memory whatever its size, and beyond that for each
 * of its bytes: of a step that sleeps 20 were measured, and a file made to
 * harm comes to some thousands.
 */
#define SW_READER_VALUES_FREE ((size_t)128 << 20)
#define SW_READER_RATIO_MAX 256

/* Rows of one block of one table: the tail can hold no more. */
#define SW_BLOCK_ROWS_MAX \
	(SW_BLOCK_BYTES_MAX / (SW_TAIL_ROW_HEAD_SIZE + SW_TAIL_SLOT_SIZE))

struct sw_bytes {
	const uint8_t *at;
	size_t size;
};

/* A frame with a good sum, or a stretch without one (is_bad). */
struct sw_stretch {
	uint64_t offset;
	uint64_t length;	/* with the head */
	uint16_t type;
	uint16_t flags;
	bool is_bad;
	bool is_unwanted;	/* rows of unwanted tables and of no others */
};

struct sw_reader_data {
	struct sw_definition *definition;	/* NULL: no such table */
	struct sw_reader_column *columns;
	uint64_t *values;	/* of all columns, one after the other */
	uint64_t **numbers;	/* by column; NULL where it has texts */
	bool *is_passed;	/* by column: its rows are not kept */
	const char ***texts;	/* by column; NULL where it has numbers */
	size_t row_count;
	size_t row_capacity;
	size_t section_rows;	/* of the largest section, or a row of a tail */
	uint64_t *in_file;	/* bit per row of the tail's block */
	bool is_unwanted;	/* decoded only to pass over it */
	size_t block_rows;	/* of the block that is being counted */
};

/*
 * Where the next rows of a column of numbers go; of one that is not kept each
 * section takes the place of the one before.
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

struct sw_reader {
	struct sw_bytes file;
	struct sw_bytes tail;
	bool no_series;
	const struct sw_reader_only *only;
	size_t values_left;	/* bytes of decoded values and texts */
	size_t values_held;
	size_t plain_left;	/* bytes that frames may still unpack to */
	bool is_over;		/* one of both was not enough */
	struct sw_reader_origin origin;
	uint64_t id;
	struct sw_stretch *stretches;
	size_t stretch_count;
	uint32_t *tail_rows;	/* offsets of the rows to deliver */
	size_t tail_row_count;
	uint32_t tail_generation;
	uint64_t tail_file_end;	/* where the writer saw the file's end */
	struct sw_reader_data tables[SW_PROFILE_TABLES_MAX];
	struct sw_reader_table public_tables[SW_PROFILE_TABLES_MAX];
	struct sw_reader_data *public_data[SW_PROFILE_TABLES_MAX];
	size_t public_count;
	struct sw_reader_health health;
	struct sw_reader_gap *gaps;
	size_t gap_count;
	size_t gap_open_from;	/* these wait for the time behind them */
	uint64_t last_usec;
	struct sw_text_chunk *texts;
	ZSTD_DCtx *zstd;
	uint8_t *plain;		/* SW_PLAIN_MAX and its slack */
	struct sw_reader_scratch *scratch;	/* of reader_section.c */
};

/*
 * The whole reader over bytes in memory; tail.at may be NULL.  The bytes are
 * not needed afterwards.
 */
struct sw_reader *sw_reader_parse(struct sw_bytes file, struct sw_bytes tail,
				  const struct sw_reader_want *want,
				  struct sw_error *error);

/* Take bytes off what is left; where that is less the whole file is refused. */
bool sw_reader_spend(struct sw_reader *reader, size_t *left, size_t bytes);

/* reader_scan.c: every frame and bad stretch, in the order of the file. */
int sw_reader_scan(struct sw_reader *reader, struct sw_error *error);

/* Is it good, of this type, and of no later version? */
bool sw_reader_is_readable(const struct sw_stretch *stretch,
			   unsigned int type);

/* reader_definitions.c: all tables; what is damaged is_bad then. */
void sw_reader_take_definitions(struct sw_reader *reader);

/* Is the tail's row at this offset no row but a definition? */
static inline bool sw_reader_is_definition(const struct sw_reader *reader,
					   uint32_t offset)
{
	return sw_get_u16(reader->tail.at + offset + 4) == SW_TAIL_DEFINITION;
}

/* reader_tail.c: find the tail's rows; deliver those not in the file. */
int sw_reader_scan_tail(struct sw_reader *reader);
int sw_reader_take_tail(struct sw_reader *reader);

/*
 * reader_block.c: the rows of several tables, counted beforehand.  1 where they
 * were taken, 0 where damaged, -1 errno.
 */
int sw_reader_take_block(struct sw_reader *reader,
			 const struct sw_stretch *stretch);
void sw_reader_count_block(struct sw_reader *reader,
			   struct sw_stretch *stretch);

/*
 * reader_section.c: the rows of one table in a block, of which it is known that
 * there is room for them.  As sw_reader_take_block().
 */
int sw_reader_take_section(struct sw_reader *reader,
			   struct sw_reader_data *table, size_t count,
			   struct sw_stream_source *source);
void sw_reader_begin_block(struct sw_reader *reader);
bool sw_reader_make_scratch(struct sw_reader *reader);

/* Texts of the given lengths plus 1 (0: missing), as sw_reader_take_block(). */
int sw_reader_take_texts(struct sw_reader *reader,
			 struct sw_stream_source *source,
			 const uint64_t *lengths, size_t count,
			 const char **texts);

/* Rows of the tail's own block must not come twice. */
void sw_reader_mark_in_file(const struct sw_reader *reader,
			    struct sw_reader_data *table, uint32_t generation,
			    uint32_t first_row, size_t count);

/*
 * The body behind a payload's fixed part, unpacked to plain_size bytes into
 * reader->plain.  False where it is not of that size.
 */
bool sw_reader_unpack(struct sw_reader *reader, const uint8_t *body,
		      size_t size, bool is_packed, size_t plain_size);

/* A NUL-terminated copy; NULL with errno where there is no memory. */
const char *sw_reader_keep_text(struct sw_reader *reader, const uint8_t *text,
				size_t length);

/* Note a stretch without readable rows. */
int sw_reader_note_gap(struct sw_reader *reader, uint64_t offset,
		       uint64_t length);

/* Note good rows of these times: they end the gaps before them. */
void sw_reader_note_times(struct sw_reader *reader, uint64_t first_usec,
			  uint64_t last_usec);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The open block: rows in memory that is shared with a file, so that they
 * outlive the process.  Where no such file can be had the memory is private.
 */
#ifndef SW_PROFILES_TAIL_H
#define SW_PROFILES_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profiles/encoder.h"

struct sw_tail {
	uint8_t *memory;	/* the head's page, then the rows */
	size_t used_bytes;	/* of the rows */
	uint64_t id;
	uint32_t generation;	/* of the open block; 1 is the first */
	bool is_shared;
};

/*
 * Make the tail called name below dirfd, which must not exist, with room for
 * SW_BLOCK_BYTES_MAX bytes of rows.  Returns -1 with errno only where there is
 * no memory either.
 */
int sw_tail_open(struct sw_tail *tail, int dirfd, const char *name,
		 uint64_t id);
void sw_tail_close(struct sw_tail *tail);

/*
 * The size of a row in the tail; 0 with errno EMSGSIZE where a text is longer
 * than SW_TEXT_SIZE_MAX allows.
 */
size_t sw_tail_row_bytes(const struct sw_row_shape *shape,
			 const union sw_value *values);

/* Append a row of that size; there must be room.  Visible at its end only. */
void sw_tail_append(struct sw_tail *tail, const struct sw_row_shape *shape,
		    uint32_t ordinal, const union sw_value *values,
		    size_t row_bytes, uint64_t now_usec);

/*
 * A definition, for a file that has no room for it: size bytes as they are in
 * its frame.  Returns false where there is no room here, either.
 */
bool sw_tail_append_definition(struct sw_tail *tail, const uint8_t *definition,
			       size_t size);

/* Bytes of rows that can be appended. */
size_t sw_tail_room(const struct sw_tail *tail);

/*
 * Fill rows with up to SW_FRAME_ROWS_MAX rows of a table, from ordinal on.
 * Returns how many.
 */
size_t sw_tail_collect(const struct sw_tail *tail, uint16_t table,
		       uint32_t ordinal, const uint8_t **rows);

/* Forget the rows, which are in the file now; begin the next generation. */
void sw_tail_reset(struct sw_tail *tail);

/* What a reader should know of the file if the writer ends here. */
void sw_tail_note(struct sw_tail *tail, uint64_t file_end, uint64_t dropped,
		  uint64_t first_drop_usec, uint64_t last_drop_usec);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The open block: rows in memory shared with a file, so that they outlive the
 * process.  If no such file can be created the memory is private.
 */
#ifndef SW_PROFILES_TAIL_H
#define SW_PROFILES_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profiles/encoder.h"

struct sw_tail {
	uint8_t *memory;	/* the head's page, then the rows */
	size_t used_bytes;	/* bytes of rows */
	uint64_t id;
	uint32_t generation;	/* of the open block; 1 is the first */
	bool is_shared;
};

/*
 * Create the tail called name below dirfd, which must not exist, with room for
 * SW_BLOCK_BYTES_MAX bytes of rows.  Returns -1 with errno only if there is no
 * memory either.
 */
int sw_tail_open(struct sw_tail *tail, int dirfd, const char *name,
		 uint64_t id);
void sw_tail_close(struct sw_tail *tail);

/*
 * Return the size of a row in the tail; 0 with errno EMSGSIZE if a text is
 * longer than SW_TEXT_SIZE_MAX allows.
 */
size_t sw_tail_row_bytes(const struct sw_row_shape *shape,
			 const union sw_value *values);

/*
 * Append a row of that size; there must be room.  Visible only when complete.
 */
void sw_tail_append(struct sw_tail *tail, const struct sw_row_shape *shape,
		    uint32_t ordinal, const union sw_value *values,
		    size_t row_bytes, uint64_t now_usec);

/*
 * Append a definition for which the file has no room: size bytes as in its
 * frame.  Returns false if there is no room here, either.
 */
bool sw_tail_append_definition(struct sw_tail *tail, const uint8_t *definition,
			       size_t size);

/* Return the bytes of rows that can be appended. */
size_t sw_tail_room(const struct sw_tail *tail);

/*
 * Fill rows with up to SW_FRAME_ROWS_MAX rows of a table, from ordinal on.
 * Returns their number.
 */
size_t sw_tail_collect(const struct sw_tail *tail, uint16_t table,
		       uint32_t ordinal, const uint8_t **rows);

/* Discard the rows, which are in the file now; begin the next generation. */
void sw_tail_reset(struct sw_tail *tail);

/* Record what a reader needs if the writer is killed after this point. */
void sw_tail_note(struct sw_tail *tail, uint64_t file_end, uint64_t dropped,
		  uint64_t first_drop_usec, uint64_t last_drop_usec);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From rows as they lie in a tail to the payload of a frame.  One encoder
 * holds all the scratch memory there is, and serves all writers of a process
 * in turn.
 */
#ifndef SW_PROFILES_ENCODER_H
#define SW_PROFILES_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profiles/layout.h"

struct sw_encoder;

/* What of a table's columns the codec has to know. */
struct sw_row_shape {
	uint16_t table;
	uint16_t column_count;
	int key_column;	  /* SW_NO_INDEX */
	int group_column; /* of the rows of a key; SW_NO_INDEX */
	uint16_t text_count;
	bool is_text[SW_TABLE_COLUMNS_MAX];
	bool is_time[SW_TABLE_COLUMNS_MAX];
};

/* A payload, with room for a frame's head before it. */
struct sw_payload {
	uint8_t *frame;	   /* the head's place; the payload follows it */
	size_t size_bytes; /* of the payload */
	uint16_t flags;
};

/* The shape of a table that keeps to the limits of table.h. */
void sw_row_shape_make(struct sw_row_shape *shape, uint16_t number,
		       const struct sw_table *table);

/* That of this process, which has it until its end; NULL: no memory for it. */
struct sw_encoder *sw_encoder_get(void);

/* SW_FRAME_ROWS_MAX pointers for the caller to fill. */
const uint8_t **sw_encoder_rows(struct sw_encoder *encoder);

/* Begin the payload of a block frame, without any rows. */
void sw_encoder_begin(struct sw_encoder *encoder);

/*
 * Add the first of count rows.  Returns how many were taken, at least one
 * where the payload has none yet; 0 where it is full.
 */
size_t sw_encoder_add(struct sw_encoder *encoder,
		      const struct sw_row_shape *shape, size_t count);

/* The payload; it lives until the next call.  False where it has no rows. */
bool sw_encoder_end(struct sw_encoder *encoder, struct sw_payload *payload);

/* Any other payload: fixed bytes, then body, packed where that helps. */
void sw_encoder_wrap(struct sw_encoder *encoder, const uint8_t *fixed,
		     size_t fixed_size, const uint8_t *body, size_t body_size,
		     struct sw_payload *payload);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turn rows, laid out as in a tail, into the payload of a frame.  A process has
 * one encoder with all scratch memory; its writers use it in turn.
 */
#ifndef SW_PROFILES_ENCODER_H
#define SW_PROFILES_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profiles/layout.h"

struct sw_encoder;

/* Properties of a table's columns that the codec needs. */
struct sw_row_shape {
	uint16_t table;
	uint16_t column_count;
	int key_column;	  /* SW_NO_INDEX */
	int group_column; /* second key; SW_NO_INDEX */
	uint16_t text_count;
	bool is_text[SW_TABLE_COLUMNS_MAX];
	bool is_time[SW_TABLE_COLUMNS_MAX];
};

/* A payload, with room for a frame's head before it. */
struct sw_payload {
	uint8_t *frame;	   /* room for the head; the payload follows */
	size_t size_bytes; /* of the payload */
	uint16_t flags;
};

/* Fill in the shape of a table that respects the limits of table.h. */
void sw_row_shape_make(struct sw_row_shape *shape, uint16_t number,
		       const struct sw_table *table);

/* Return the process's encoder, which is never freed; NULL: out of memory. */
struct sw_encoder *sw_encoder_get(void);

/* Return SW_FRAME_ROWS_MAX pointers for the caller to fill. */
const uint8_t **sw_encoder_rows(struct sw_encoder *encoder);

/* Begin the payload of a block frame, without any rows. */
void sw_encoder_begin(struct sw_encoder *encoder);

/*
 * Add the first of count rows.  Returns how many were taken: at least one if
 * the payload has none yet, 0 if it is full.
 */
size_t sw_encoder_add(struct sw_encoder *encoder,
		      const struct sw_row_shape *shape, size_t count);

/* Return the payload, valid until the next call; false if it has no rows. */
bool sw_encoder_end(struct sw_encoder *encoder, struct sw_payload *payload);

/* Make any other payload: fixed bytes, then body, compressed if that helps. */
void sw_encoder_wrap(struct sw_encoder *encoder, const uint8_t *fixed,
		     size_t fixed_size, const uint8_t *body, size_t body_size,
		     struct sw_payload *payload);

#endif

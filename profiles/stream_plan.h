/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packing parameters of a run of values, shared by encoder and decoder. */
#ifndef SW_PROFILES_STREAM_PLAN_H
#define SW_PROFILES_STREAM_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profiles/layout.h"
#include "profiles/stream.h"

enum {
	SW_TAG_CONSTANT = 0,
	SW_TAG_WIDTH_BIAS = 1, /* a tag's low bits hold the width plus this */
	SW_TAG_SECOND_ORDER = 0x80,

	SW_HOW_BESIDE = 0x03, /* enum sw_beside */
	SW_HOW_EXCEPTIONS = 0x04,
	SW_HOW_HIGH_SHIFT = 3, /* bits in the high bytes, 0 to 8 */
	SW_HOW_HIGH_MAX = 8,
	SW_HOW_UNUSED = 0x80,

	SW_WIDTH_MAX = 64,
	SW_VARINT_SIZE_MAX = 10,
};

struct sw_stream_plan {
	bool is_constant;
	bool is_second_order;
	enum sw_beside beside;
	unsigned int width; /* bits of a packed number, high ones included */
	unsigned int high;  /* those of them in separate bytes */
	unsigned int shift; /* trailing zero bits of all differences */
	bool has_exceptions;
	uint64_t minimum;
	uint64_t first_delta; /* for the second order only */
	uint64_t bits;	      /* of packed numbers and exceptions, estimated */
};

/* Plan how to pack values that are not all equal, without a reference. */
void sw_stream_plan_make(struct sw_stream_plan *plan, const uint64_t *values,
			 size_t count);

#endif

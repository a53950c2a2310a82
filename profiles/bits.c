/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packing numbers into bits.  Writes and reads exactly the bytes that the
 * numbers take, but for loads of whole words when it reads.
 */
#include "profiles/bits.h"

enum { ONE_LOAD_MAX = 57 }; /* 64 bits less 7 of misalignment */

uint8_t *sw_bits_pack(uint8_t *at, const uint64_t *numbers, size_t count,
		      unsigned int width)
{
	uint64_t word = 0;
	unsigned int used = 0;

	for (size_t i = 0; i < count; i++) {
		word |= numbers[i] << used;
		used += width;
		if (used < 64)
			continue;
		sw_put_u64(at, word);
		at += 8;
		used -= 64;
		/* Shifted in two steps: by 64 where nothing is left over. */
		word = (numbers[i] >> 1) >> (width - 1 - used);
	}
	for (unsigned int i = 0; i < (used + 7) / 8; i++)
		*at++ = (uint8_t)(word >> (8 * i));
	return at;
}

/* The bits at bit, from at most two overlapping loads. */
static inline uint64_t bits_at(const uint8_t *data, size_t bit, uint64_t mask,
			       bool is_wide)
{
	unsigned int skip = bit & 7;
	uint64_t bits = sw_get_u64(data + (bit >> 3)) >> skip;

	if (is_wide && skip)
		bits |= (uint64_t)data[(bit >> 3) + 8] << (64 - skip);
	return bits & mask;
}

/* is_wide is a constant wherever this is inlined. */
static inline void unpack(const uint8_t *data, uint64_t *numbers, size_t count,
			  unsigned int width, bool is_wide)
{
	const uint64_t mask = sw_bits_mask(width);
	size_t bit = 0;

	for (size_t i = 0; i < count; i++, bit += width)
		numbers[i] = bits_at(data, bit, mask, is_wide);
}

void sw_bits_unpack(const uint8_t *data, uint64_t *numbers, size_t count,
		    unsigned int width)
{
	if (width > ONE_LOAD_MAX)
		unpack(data, numbers, count, width, true);
	else
		unpack(data, numbers, count, width, false);
}

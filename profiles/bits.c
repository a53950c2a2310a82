/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pack numbers into bits.  Only the bytes that the numbers take are written;
 * reads load whole words.
 */
#include "profiles/bits.h"

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
		/*
		 * Shifted in two steps because the shift is 64 if nothing is
		 * left over.
		 */
		word = (numbers[i] >> 1) >> (width - 1 - used);
	}
	for (unsigned int i = 0; i < (used + 7) / 8; i++)
		*at++ = (uint8_t)(word >> (8 * i));
	return at;
}

void sw_bits_unpack(const uint8_t *data, uint64_t *numbers, size_t count,
		    unsigned int width)
{
	const uint64_t mask = sw_bits_mask(width);
	size_t bit = 0;

	for (size_t i = 0; i < count; i++, bit += width) {
		unsigned int skip = bit & 7;

		numbers[i] = sw_bits_at(data, bit, mask);
		if (width > SW_BITS_ONE_LOAD && skip)
			numbers[i] |= (uint64_t)data[(bit >> 3) + 8]
					      << (64 - skip) &
				      mask;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pack numbers of a few bits each one after the other, least significant bits
 * of the lowest byte first.
 */
#ifndef SW_PROFILES_BITS_H
#define SW_PROFILES_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profiles/layout.h"

enum {
	SW_BITS_MAX = 64,
	SW_BITS_ONE_LOAD = 57, /* 64 bits less 7 of misalignment */
};

/* Return the largest number of this many bits (0 to 64). */
static inline uint64_t sw_bits_mask(unsigned int bits)
{
	return bits ? UINT64_MAX >> (SW_BITS_MAX - bits) : 0;
}

/* Return the number of significant bits of value; 0 for 0. */
static inline unsigned int sw_bits_of(uint64_t value)
{
	return value ? 64 - (unsigned int)__builtin_clzll(value) : 0;
}

/* Return the bytes that count numbers take. */
static inline size_t sw_bits_bytes(size_t count, unsigned int width)
{
	return (count * width + 7) / 8;
}

/*
 * Return the number of at most SW_BITS_ONE_LOAD bits that starts at bit; 8
 * bytes from its first byte on must be readable.
 */
static inline uint64_t sw_bits_at(const uint8_t *data, size_t bit,
				  uint64_t mask)
{
	return sw_get_u64(data + (bit >> 3)) >> (bit & 7) & mask;
}

/*
 * Store count numbers whose bits beyond width are 0; width is 1 to 64.  Returns
 * the address of the next byte.
 */
uint8_t *sw_bits_pack(uint8_t *at, const uint64_t *numbers, size_t count,
		      unsigned int width);

/* The reverse; SW_PLAIN_SLACK bytes after the data must be readable. */
void sw_bits_unpack(const uint8_t *data, uint64_t *numbers, size_t count,
		    unsigned int width);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checksum; the only file but digest.c that includes xxhash. */
#include "profiles/layout.h"

/* xxhash.h triggers these warnings. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#define XXH_INLINE_ALL
#include <xxhash.h>
#pragma GCC diagnostic pop

uint64_t sw_layout_checksum(uint64_t id, const void *head, size_t head_size,
			    const void *body, size_t body_size)
{
	uint64_t seed = id + XXH3_64bits(body, body_size);

	return XXH3_64bits_withSeed(head, head_size, seed);
}

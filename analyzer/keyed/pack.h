/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Serialize numbers and texts portably, and read them back. */
#ifndef SW_ANALYZER_PACK_H
#define SW_ANALYZER_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: empty; the caller frees the bytes. */
struct sw_pack {
	uint8_t *bytes;
	size_t size, room;
	bool is_short; /* out of memory: incomplete */
};

void sw_pack_number(struct sw_pack *pack, uint64_t number);
void sw_pack_bytes(struct sw_pack *pack, const void *bytes, size_t size);
void sw_pack_text(struct sw_pack *pack, const char *text, size_t size);

/* Untrusted bytes: invalid parts are read as 0 and "". */
struct sw_unpack {
	const uint8_t *at, *end;
	bool is_bad;
};

uint64_t sw_unpack_number(struct sw_unpack *unpack);
/* Points into the bytes; not NUL-terminated. */
const char *sw_unpack_text(struct sw_unpack *unpack, size_t *size);

#endif

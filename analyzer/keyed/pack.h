/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and texts as bytes, the same on every machine, and back. */
#ifndef SW_ANALYZER_PACK_H
#define SW_ANALYZER_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is empty; the bytes are the caller's to free. */
struct sw_pack {
	uint8_t *bytes;
	size_t size, room;
	bool is_short; /* of memory: not all is there */
};

void sw_pack_number(struct sw_pack *pack, uint64_t number);
void sw_pack_text(struct sw_pack *pack, const char *text, size_t size);

/* Bytes that are not trusted: what cannot be there is 0 and "". */
struct sw_unpack {
	const uint8_t *at, *end;
	bool is_bad;
};

uint64_t sw_unpack_number(struct sw_unpack *unpack);
/* It lies in the bytes, and no NUL follows it. */
const char *sw_unpack_text(struct sw_unpack *unpack, size_t *size);

#endif

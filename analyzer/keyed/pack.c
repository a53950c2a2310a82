/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Little-endian numbers of 64 bits; a text has its size before it. */
#include "analyzer/keyed/pack.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *reserve(struct sw_pack *pack, size_t size)
{
	size_t room = 2 * (pack->size + size);
	uint8_t *grown;

	if (pack->is_short)
		return NULL;
	if (pack->room - pack->size < size) {
		grown = realloc(pack->bytes, room);
		if (!grown) {
			pack->is_short = true;
			return NULL;
		}
		pack->bytes = grown;
		pack->room = room;
	}
	pack->size += size;
	return pack->bytes + pack->size - size;
}

void sw_pack_number(struct sw_pack *pack, uint64_t number)
{
	uint8_t *to = reserve(pack, 8);
	size_t i;

	for (i = 0; to && i < 8; i++)
		to[i] = (uint8_t)(number >> (8 * i));
}

void sw_pack_bytes(struct sw_pack *pack, const void *bytes, size_t size)
{
	uint8_t *to = reserve(pack, size);

	if (to && size)
		memcpy(to, bytes, size);
}

void sw_pack_text(struct sw_pack *pack, const char *text, size_t size)
{
	sw_pack_number(pack, size);
	sw_pack_bytes(pack, text, size);
}

uint64_t sw_unpack_number(struct sw_unpack *unpack)
{
	uint64_t number;

	if (unpack->is_bad || unpack->end - unpack->at < 8) {
		unpack->is_bad = true;
		return 0;
	}
	memcpy(&number, unpack->at, sizeof(number));
	unpack->at += sizeof(number);
	return le64toh(number);
}

const char *sw_unpack_text(struct sw_unpack *unpack, size_t *size)
{
	uint64_t wanted = sw_unpack_number(unpack);
	const char *text = (const char *)unpack->at;

	*size = 0;
	if (unpack->is_bad || wanted > (size_t)(unpack->end - unpack->at)) {
		unpack->is_bad = true;
		return "";
	}
	*size = (size_t)wanted;
	unpack->at += *size;
	return text;
}

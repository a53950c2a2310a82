/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts and their ids.  The table contains part of the hash, and texts are
 * stored contiguously, so few comparisons are wasted or miss the cache.
 */
#include "analyzer/keyed/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/keyed.h"
#include "common/grow.h"

enum { ROOM_FIRST = 64, BLOCK_SIZE = 4096 };

#define HASH_MASK UINT64_C(0xffffffff00000000)

struct sw_text_block {
	struct sw_text_block *next;
	size_t used, size;
	char bytes[];
};

/* Slot of the text, or the one to insert it in. */
static uint64_t *place(const struct sw_texts *texts, const char *text,
		       uint64_t hash)
{
	size_t at = (size_t)hash & (texts->room - 1);
	uint64_t slot;

	for (; (slot = texts->slots[at]); at = (at + 1) & (texts->room - 1)) {
		if ((slot & HASH_MASK) == (hash & HASH_MASK) &&
		    !strcmp(texts->by_id[(uint32_t)slot - 1], text))
			break;
	}
	return &texts->slots[at];
}

static uint64_t hash_of(const char *text)
{
	return sw_keyed_hash_for_table(text, strlen(text));
}

uint32_t sw_texts_find(const struct sw_texts *texts, const char *text)
{
	uint64_t slot = texts->room ? *place(texts, text, hash_of(text)) : 0;

	return slot ? (uint32_t)slot - 1 : SW_TEXT_NONE;
}

static int make_room(struct sw_texts *texts)
{
	struct sw_texts grown = *texts;
	uint32_t i;

	if (texts->room > 2 * (size_t)texts->count)
		return 0;
	grown.room = texts->room ? 2 * texts->room : ROOM_FIRST;
	grown.slots = calloc(grown.room, sizeof(*grown.slots));
	if (!grown.slots)
		return -1;
	for (i = 0; i < texts->count; i++) {
		uint64_t hash = hash_of(texts->by_id[i]);

		*place(&grown, texts->by_id[i], hash) =
			(hash & HASH_MASK) | (i + 1);
	}
	free(texts->slots);
	*texts = grown;
	return 0;
}

static const char *copy(struct sw_texts *texts, const char *text)
{
	size_t size = strlen(text) + 1, room = BLOCK_SIZE;
	struct sw_text_block *block = texts->blocks;

	if (!block || block->size - block->used < size) {
		if (room < size)
			room = size;
		block = malloc(sizeof(*block) + room);
		if (!block)
			return NULL;
		*block = (struct sw_text_block){ texts->blocks, 0, room };
		texts->blocks = block;
	}
	block->used += size;
	return memcpy(block->bytes + block->used - size, text, size);
}

static int keep(struct sw_texts *texts, const char *text)
{
	uint64_t hash = hash_of(text);
	const char *kept;

	if (texts->count == SW_TEXT_NONE - 1) {
		errno = ENOMEM;
		return -1;
	}
	if (sw_grow(&texts->by_id, texts->count, sizeof(*texts->by_id)) < 0 ||
	    make_room(texts) < 0)
		return -1;
	kept = copy(texts, text);
	if (!kept)
		return -1;
	*place(texts, text, hash) = (hash & HASH_MASK) | (texts->count + 1);
	texts->by_id[texts->count++] = kept;
	return 0;
}

uint32_t sw_texts_add(struct sw_texts *texts, const char *text)
{
	uint32_t id = sw_texts_find(texts, text);

	if (id != SW_TEXT_NONE)
		return id;
	return keep(texts, text) < 0 ? SW_TEXT_NONE : texts->count - 1;
}

uint32_t sw_texts_add_seen(struct sw_texts *texts, struct sw_texts_seen *seen,
			   const char *text)
{
	uint64_t hash = (uint64_t)(uintptr_t)text * 0x9e3779b97f4a7c15u;
	struct sw_text_seen *at = seen->at[(hash >> 32) % SW_TEXTS_SEEN];
	struct sw_text_seen other = at[1];

	if (at[0].text == text)
		return at[0].id;
	/* Each place has two, the newer first. */
	at[1] = at[0];
	at[0] = other;
	if (other.text != text)
		at[0] = (struct sw_text_seen){ text,
					       sw_texts_add(texts, text) };
	return at[0].id;
}

void sw_texts_fini(struct sw_texts *texts)
{
	while (texts->blocks) {
		struct sw_text_block *next = texts->blocks->next;

		free(texts->blocks);
		texts->blocks = next;
	}
	free(texts->slots);
	free(texts->by_id);
	*texts = (struct sw_texts){ .count = 0 };
}

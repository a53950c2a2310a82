/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts, gaps and times collected while reading. */
#include "profiles/reader_internal.h"

#include <errno.h>
#include <stdlib.h>

#include "common/grow.h"

enum { TEXT_CHUNK_SIZE = 32 * 1024 };

static const char *keep_text(struct sw_reader *reader, const uint8_t *text,
			     size_t length)
{
	struct sw_text_chunk *chunk = reader->texts;
	char *kept;

	if (!sw_reader_spend(reader, &reader->values_left, length + 1)) {
		errno = EFBIG;
		return NULL;
	}
	if (!chunk || chunk->size - chunk->used < length + 1) {
		chunk = malloc(sizeof(*chunk) + TEXT_CHUNK_SIZE);
		if (!chunk)
			return NULL;
		chunk->next = reader->texts;
		chunk->used = 0;
		chunk->size = TEXT_CHUNK_SIZE;
		reader->texts = chunk;
	}
	kept = chunk->bytes + chunk->used;
	memcpy(kept, text, length);
	kept[length] = '\0';
	chunk->used += length + 1;
	return kept;
}

/* Return two or three parts of a text that cover a short one. */
static uint64_t some_of(const uint8_t *text, size_t length)
{
	if (length >= 8)
		return sw_get_u64(text) ^ sw_get_u64(text + length - 8) << 1;
	if (length >= 4)
		return sw_get_u32(text) |
		       (uint64_t)sw_get_u32(text + length - 4) << 32;
	return length ? text[0] | (uint64_t)text[length / 2] << 8 |
				(uint64_t)text[length - 1] << 16 : 0;
}

static bool is_text(const struct sw_recent_text *recent, const uint8_t *text,
		    size_t length)
{
	return recent->text && recent->length == length &&
	       memcmp(recent->text, text, length) == 0;
}

/*
 * Texts are repeated, mostly within few rows: a recent one is stored once.
 * Each place has two, the newer first, as two texts may share it.
 */
int sw_reader_take_text(struct sw_reader *reader, const uint8_t *text,
			size_t length, const char **taken)
{
	uint64_t hash = (some_of(text, length) ^ length) *
			UINT64_C(0x9e3779b97f4a7c15);
	struct sw_recent_text *recent =
		reader->recent[hash >> (64 - SW_RECENT_TEXTS_LOG)];

	if (!is_text(&recent[0], text, length)) {
		struct sw_recent_text other = recent[1];

		recent[1] = recent[0];
		recent[0] = other;
		if (!is_text(&other, text, length)) {
			if (memchr(text, 0, length))
				return 0;
			recent[0].text = keep_text(reader, text, length);
			recent[0].length = length;
		}
	}
	*taken = recent[0].text;
	return *taken ? 1 : -1;
}

int sw_reader_note_gap(struct sw_reader *reader, uint64_t offset,
		       uint64_t length)
{
	reader->health.frames_damaged++;
	reader->health.bytes_damaged += length;
	if (sw_grow(&reader->gaps, reader->gap_count,
		    sizeof(*reader->gaps)) < 0)
		return -1;
	reader->gaps[reader->gap_count++] = (struct sw_reader_gap){
		.offset_bytes = offset,
		.length_bytes = length,
		.after_usec = reader->last_usec,
		.before_usec = SW_MISSING,
	};
	return 0;
}

void sw_reader_note_times(struct sw_reader *reader, uint64_t first_usec,
			  uint64_t last_usec)
{
	while (reader->gap_open_from < reader->gap_count)
		reader->gaps[reader->gap_open_from++].before_usec = first_usec;
	reader->last_usec = sw_max_u64(reader->last_usec, last_usec);
}

bool sw_reader_spend(struct sw_reader *reader, size_t *left, size_t bytes)
{
	if (bytes > *left) {
		reader->is_over = true;
		return false;
	}
	*left -= bytes;
	return true;
}

bool sw_reader_is_readable(const struct sw_stretch *stretch, unsigned int type)
{
	return !stretch->is_bad && stretch->type == type &&
	       !(stretch->flags & ~SW_FRAME_FLAG_ZSTD);
}

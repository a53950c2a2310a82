/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts, gaps and times collected while reading. */
#include "profiles/reader_internal.h"

#include <errno.h>
#include <stdlib.h>

#include "common/grow.h"

enum { TEXT_CHUNK_SIZE = 32 * 1024 };

const char *sw_reader_keep_text(struct sw_reader *reader, const uint8_t *text,
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

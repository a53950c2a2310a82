/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the decoders of frames: decompression, texts, marks. */
#include "profiles/reader_internal.h"

#include "profiles/stream.h"

bool sw_reader_unpack(struct sw_reader *reader, const uint8_t *body,
		      size_t size, bool is_packed, size_t plain_size)
{
	size_t got;

	if (plain_size > SW_PLAIN_MAX ||
	    !sw_reader_spend(reader, &reader->plain_left, plain_size))
		return false;
	memset(reader->plain + plain_size, 0, SW_PLAIN_SLACK);
	if (!is_packed) {
		if (size != plain_size)
			return false;
		memcpy(reader->plain, body, size);
		return true;
	}
	got = ZSTD_decompressDCtx(reader->zstd, reader->plain, plain_size, body,
				  size);
	return !ZSTD_isError(got) && got == plain_size;
}

/* Read one text of a column. */
static int read_text(struct sw_reader *reader, struct sw_stream_source *source,
		     uint64_t code, const char **text)
{
	const uint8_t *bytes = source->data;
	size_t length = (size_t)code - 1;

	*text = NULL;
	if (code == 0)
		return 1;
	if (code > SW_TEXT_SIZE_MAX ||
	    length > (size_t)(source->data_end - bytes))
		return 0;
	source->data += length;
	return sw_reader_take_text(reader, bytes, length, text);
}

int sw_reader_take_texts(struct sw_reader *reader,
			 struct sw_stream_source *source,
			 const uint64_t *lengths, size_t count,
			 const char **texts)
{
	for (size_t i = 0; i < count; i++) {
		int status = read_text(reader, source, lengths[i], &texts[i]);

		if (status <= 0)
			return status;
	}
	return 1;
}

void sw_reader_mark_in_file(const struct sw_reader *reader,
			    struct sw_reader_data *table, uint32_t generation,
			    uint32_t first_row, size_t count)
{
	uint64_t *bits = table->in_file;

	if (!bits || generation != reader->tail_generation)
		return;
	for (size_t i = 0; i < count; i++) {
		size_t row = (size_t)first_row + i;

		if (row < SW_BLOCK_ROWS_MAX)
			bits[row / 64] |= UINT64_C(1) << (row % 64);
	}
}

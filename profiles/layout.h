/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Constants of the file format, and little-endian access to its bytes.  Only
 * for the files of this folder; FORMAT.md explains each constant.
 */
#ifndef SW_PROFILES_LAYOUT_H
#define SW_PROFILES_LAYOUT_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "profiles/table.h"

#define SW_FRAME_MAGIC UINT32_C(0x31465753)	/* "SWF1" */
#define SW_TAIL_MAGIC UINT32_C(0x31545753)	/* "SWT1" */

enum {
	SW_FORMAT_MAJOR = 1,	/* readers refuse any other */
	SW_FORMAT_MINOR = 1,	/* readers accept any */

	SW_FRAME_HEAD_SIZE = 24,
	SW_FRAME_CHECKED_SIZE = 16,	/* bytes covered by the sum */
	SW_FRAME_PAYLOAD_MAX = 1 << 20,
	SW_FRAME_FLAG_ZSTD = 1,		/* the body is one zstd frame */

	SW_HEADER_FIXED_SIZE = 16,
	SW_DEFINITION_FIXED_SIZE = 8,
	SW_DEFINITIONS_FIXED_SIZE = 4,
	SW_END_FIXED_SIZE = 48,
	SW_BLOCK_FIXED_SIZE = 32,
	SW_BLOCK_HEAD_SIZE = 8,		/* two lengths, in the body */
	SW_BLOCK_SECTIONS_MAX = 255,

	SW_FRAME_ROWS_MAX = 4096,	/* rows of one section of a frame */
	SW_PLAIN_MAX = 512 * 1024,	/* bytes of one body before zstd */
	SW_PLAIN_SLACK = 16,		/* readable after every plain body */
	SW_RUN_ROWS_MAX = 128,		/* values of one stream */

	SW_TAIL_HEAD_SIZE = 4096,
	SW_TAIL_ROW_HEAD_SIZE = 32,
	SW_TAIL_ROW_MAGIC = 0x5753,	/* "SW", beside the table's number */
	SW_TAIL_SLOT_SIZE = 8,		/* one value of a row */
	SW_TAIL_DEFINITION = 64,	/* in place of a table's number */
};

enum sw_frame_type {
	SW_FRAME_HEADER = 1,
	SW_FRAME_DEFINITION = 2,
	SW_FRAME_END = 4,
	SW_FRAME_BLOCK = 5,	/* rows of several tables */
	SW_FRAME_DEFINITIONS = 6,	/* of all tables */
};

/* Byte offsets in the tail's first page. */
enum {
	SW_TAIL_AT_MAGIC = 0,
	SW_TAIL_AT_MAJOR = 4,
	SW_TAIL_AT_MINOR = 6,
	SW_TAIL_AT_ID = 8,
	SW_TAIL_AT_USED = 16,
	SW_TAIL_AT_FILE_END = 24,
	SW_TAIL_AT_DROPPED = 32,
	SW_TAIL_AT_FIRST_DROP = 40,
	SW_TAIL_AT_LAST_DROP = 48,
};

static inline uint16_t sw_get_u16(const void *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return le16toh(value);
}

static inline uint32_t sw_get_u32(const void *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return le32toh(value);
}

static inline uint64_t sw_get_u64(const void *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return le64toh(value);
}

static inline void sw_put_u16(void *bytes, uint16_t value)
{
	value = htole16(value);
	memcpy(bytes, &value, sizeof(value));
}

static inline void sw_put_u32(void *bytes, uint32_t value)
{
	value = htole32(value);
	memcpy(bytes, &value, sizeof(value));
}

static inline void sw_put_u64(void *bytes, uint64_t value)
{
	value = htole64(value);
	memcpy(bytes, &value, sizeof(value));
}

/*
 * Return the checksum of a head and a body: XXH3 of the head, seeded with the
 * file's id plus the XXH3 of the body.  Because of the id a frame of another
 * profile, or one forged inside a text, is not taken for a frame of this file.
 */
uint64_t sw_layout_checksum(uint64_t id, const void *head, size_t head_size,
			    const void *body, size_t body_size);

#endif

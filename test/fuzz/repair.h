/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repairs checksums of a changed profile, so that a reader goes on. */
#ifndef TEST_FUZZ_REPAIR_H
#define TEST_FUZZ_REPAIR_H

#include "profiles/layout.h"

/* Return the id in the file's first frame, ignoring its checksum. */
static inline uint64_t repair_find_id(const uint8_t *file, size_t size)
{
	return size < SW_FRAME_HEAD_SIZE + SW_HEADER_FIXED_SIZE
		       ? 0
		       : sw_get_u64(file + SW_FRAME_HEAD_SIZE + 8);
}

/* Return the size of the frame at file, with its head; 0: there is none. */
static inline size_t repair_frame(const uint8_t *file, size_t size)
{
	size_t payload;

	if (size < SW_FRAME_HEAD_SIZE || sw_get_u32(file) != SW_FRAME_MAGIC)
		return 0;
	payload = sw_get_u32(file + 8);
	return payload > size - SW_FRAME_HEAD_SIZE
		       ? 0
		       : SW_FRAME_HEAD_SIZE + payload;
}

static inline void repair_file(uint8_t *file, size_t size, uint64_t id)
{
	size_t at = 0;

	while (at + SW_FRAME_HEAD_SIZE <= size) {
		uint8_t *head = file + at;
		size_t length = repair_frame(head, size - at);

		if (!length) {
			at++;
			continue;
		}
		sw_put_u64(head + 16,
			   sw_layout_checksum(
				   sw_get_u16(head + 4) == SW_FRAME_HEADER ? 0
									   : id,
				   head, SW_FRAME_CHECKED_SIZE,
				   head + SW_FRAME_HEAD_SIZE,
				   length - SW_FRAME_HEAD_SIZE));
		at += length;
	}
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find the frames.  After damage the search resumes at the next magic whose
 * frame has a good sum.  It gives up, and counts the rest as damaged, when a
 * malicious file has cost as much hashing as 16 files.
 */
#include "profiles/reader_internal.h"

#include <errno.h>
#include <stdlib.h>

#include "common/grow.h"

enum { WASTE_FACTOR = 16, WASTE_MIN = 64 << 20 };

struct scan {
	struct sw_bytes file;
	uint64_t id;
	uint64_t waste;	/* bytes that may still be hashed in vain */
};

/* Return the length of the good frame at offset, 0 if there is none. */
static size_t frame_at(struct scan *scan, size_t offset)
{
	const uint8_t *head = scan->file.at + offset;
	size_t room = scan->file.size - offset;
	size_t payload;
	uint64_t id;

	if (room < SW_FRAME_HEAD_SIZE || sw_get_u32(head) != SW_FRAME_MAGIC)
		return 0;
	payload = sw_get_u32(head + 8);
	if (payload > SW_FRAME_PAYLOAD_MAX ||
	    payload > room - SW_FRAME_HEAD_SIZE || payload > scan->waste)
		return 0;
	id = sw_get_u16(head + 4) == SW_FRAME_HEADER ? 0 : scan->id;
	if (sw_layout_checksum(id, head, SW_FRAME_CHECKED_SIZE,
			       head + SW_FRAME_HEAD_SIZE,
			       payload) != sw_get_u64(head + 16)) {
		scan->waste -= payload;
		return 0;
	}
	return SW_FRAME_HEAD_SIZE + payload;
}

/* Return the first good frame at or after offset; the file's size if none. */
static size_t find_frame(struct scan *scan, size_t offset, size_t *length)
{
	static const char magic[4] = { 'S', 'W', 'F', '1' };

	while (offset < scan->file.size) {
		const uint8_t *found = memmem(scan->file.at + offset,
					      scan->file.size - offset, magic,
					      sizeof(magic));

		if (!found)
			break;
		offset = (size_t)(found - scan->file.at);
		*length = frame_at(scan, offset);
		if (*length)
			return offset;
		offset++;
	}
	*length = 0;
	return scan->file.size;
}

static int add_stretch(struct sw_reader *reader, size_t offset, size_t length,
		       bool is_bad)
{
	const uint8_t *head = reader->file.at + offset;
	struct sw_stretch *stretch;

	if (sw_grow(&reader->stretches, reader->stretch_count,
		    sizeof(*stretch)) < 0)
		return -1;
	stretch = &reader->stretches[reader->stretch_count++];
	*stretch = (struct sw_stretch){
		.offset = offset, .length = length, .is_bad = is_bad
	};
	if (is_bad)
		return 0;
	stretch->type = sw_get_u16(head + 4);
	stretch->flags = sw_get_u16(head + 6);
	return 0;
}

static int refuse(struct sw_error *error, int code, const char *why)
{
	errno = code;
	return sw_error_set(error, "%s", why);
}

/* Any good header gives the id; longer files repeat it. */
static int find_id(struct sw_reader *reader, struct scan *scan,
		   struct sw_error *error)
{
	size_t length, offset = 0;
	const uint8_t *fixed;

	if (reader->file.size == 0)
		return refuse(error, EINVAL, "is empty");
	for (;; offset++) {
		offset = find_frame(scan, offset, &length);
		if (!length)
			break;
		if (sw_get_u16(reader->file.at + offset + 4) ==
			    SW_FRAME_HEADER &&
		    length >= SW_FRAME_HEAD_SIZE + SW_HEADER_FIXED_SIZE)
			break;
	}
	if (!length && (reader->file.size < 4 ||
			sw_get_u32(reader->file.at) != SW_FRAME_MAGIC))
		return refuse(error, EINVAL, "is not a stepwell profile");
	if (!length)
		return refuse(error, EINVAL,
			      "is a stepwell profile whose header is damaged");
	fixed = reader->file.at + offset + SW_FRAME_HEAD_SIZE;
	if (sw_get_u16(fixed) != SW_FORMAT_MAJOR) {
		errno = ENOTSUP;
		return sw_error_set(
			error,
			"is a profile of format version %u; "
			"this stepwell reads version %d",
			sw_get_u16(fixed), SW_FORMAT_MAJOR);
	}
	reader->id = scan->id = sw_get_u64(fixed + 8);
	return 0;
}

/* A sequence number at or below the last one is a copy of old blocks. */
static bool is_in_sequence(struct sw_reader *reader, size_t offset,
			   uint64_t *expected)
{
	uint64_t sequence = sw_get_u32(reader->file.at + offset + 12);

	if (sequence < *expected)
		return false;
	reader->health.frames_missing += sequence - *expected;
	*expected = sequence + 1;
	return true;
}

int sw_reader_scan(struct sw_reader *reader, struct sw_error *error)
{
	struct scan scan = {
		.file = reader->file,
		.waste = (uint64_t)reader->file.size * WASTE_FACTOR + WASTE_MIN,
	};
	uint64_t expected = 0;
	size_t offset = 0;

	if (find_id(reader, &scan, error) < 0)
		return -1;
	while (offset < reader->file.size) {
		size_t length, next = find_frame(&scan, offset, &length);
		bool is_bad = false;

		if (next > offset &&
		    add_stretch(reader, offset, next - offset, true) < 0)
			return -1;
		if (!length)
			break;
		is_bad = !is_in_sequence(reader, next, &expected);
		if (add_stretch(reader, next, length, is_bad) < 0)
			return -1;
		offset = next + length;
	}
	return 0;
}

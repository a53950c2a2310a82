/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damages the frames of a profile. */
#include <string.h>
#include <zstd.h>

#include "test/fuzz/mutate.h"
#include "test/fuzz/repair.h"

enum { FRAMES_MAX = 256 };

struct frames {
	uint8_t *at[FRAMES_MAX];
	size_t length[FRAMES_MAX];
	size_t count;
};

static void find_frames(struct frames *frames, struct input *input)
{
	size_t at = 0, length;

	frames->count = 0;
	while (frames->count < FRAMES_MAX &&
	       (length = repair_frame(input->bytes + at, input->size - at))) {
		frames->at[frames->count] = input->bytes + at;
		frames->length[frames->count++] = length;
		at += length;
	}
}

/* Return the offset of a payload's body and that of its unpacked length. */
static size_t find_body(const uint8_t *frame, size_t length, size_t *plain_at)
{
	size_t fixed = SW_FRAME_HEAD_SIZE;

	switch (sw_get_u16(frame + 4)) {
	case SW_FRAME_DEFINITION:
		*plain_at = fixed + 4;
		fixed += SW_DEFINITION_FIXED_SIZE;
		break;
	case SW_FRAME_DEFINITIONS:
		*plain_at = fixed;
		fixed += SW_DEFINITIONS_FIXED_SIZE;
		break;
	case SW_FRAME_BLOCK:
		*plain_at = fixed + 4;
		fixed += SW_BLOCK_FIXED_SIZE;
		if (fixed <= length)
			fixed += sw_get_u16(frame + SW_FRAME_HEAD_SIZE + 8);
		break;
	default:
		return length;
	}
	return fixed;
}

/* Copy a frame and unpack its body; return the length of the copy. */
static size_t unpack(uint8_t *out, size_t room, const uint8_t *frame,
		     size_t length)
{
	size_t plain_at = 0, body = find_body(frame, length, &plain_at), got;

	if (body < length && body < room &&
	    sw_get_u16(frame + 6) & SW_FRAME_FLAG_ZSTD) {
		got = ZSTD_decompress(out + body, room - body, frame + body,
				      length - body);
		if (!ZSTD_isError(got)) {
			memcpy(out, frame, body);
			sw_put_u16(out + 6, 0);
			sw_put_u32(out + 8,
				   (uint32_t)(body + got - SW_FRAME_HEAD_SIZE));
			return body + got;
		}
	}
	if (length > room)
		return 0;
	memcpy(out, frame, length);
	return length;
}

/* Change a payload in place: heads and directories lie at its start. */
static void change_frame(uint8_t *frame, size_t length, struct dice *dice)
{
	static const uint64_t edges[] = { 0,	      1,	  0x7f,
					  0x80,	      0xff,	  0xffff,
					  0x7fffffff, 0xffffffff, UINT64_MAX };
	size_t count = (size_t)1 << dice_below(dice, 5);
	size_t size = length - SW_FRAME_HEAD_SIZE;

	while (count-- > 0 && size) {
		size_t near = dice_below(dice, 2) && size > 64 ? 64 : size;
		uint8_t *at =
			frame + SW_FRAME_HEAD_SIZE + dice_below(dice, near);
		size_t left = (size_t)(frame + length - at);
		uint64_t value = htole64(edges[dice_below(
			dice, sizeof(edges) / sizeof(edges[0]))]);
		size_t wide = (size_t)1 << dice_below(dice, 4);

		if (dice_below(dice, 2))
			*at ^= (uint8_t)(1u << dice_below(dice, 8));
		else
			memcpy(at, &value, wide < left ? wide : left);
	}
}

/*
 * Swap, repeat or replace a frame, perhaps by one of others; the order is
 * mostly kept.
 */
static void shuffle(struct frames *frames, const struct frames *others,
		    struct dice *dice)
{
	size_t one = dice_below(dice, frames->count);
	size_t two = dice_below(dice, frames->count);
	uint8_t *at = frames->at[one];
	size_t length = frames->length[one];

	switch (dice_below(dice, 6)) {
	case 0:
		frames->at[one] = frames->at[two];
		frames->length[one] = frames->length[two];
		break;
	case 1:
		frames->at[one] = frames->at[two];
		frames->length[one] = frames->length[two];
		frames->at[two] = at;
		frames->length[two] = length;
		break;
	case 2:
		if (frames->count == FRAMES_MAX)
			break;
		frames->at[frames->count] = at;
		frames->length[frames->count++] = length;
		break;
	case 3:
		if (!others->count)
			break;
		two = dice_below(dice, others->count);
		frames->at[one] = others->at[two];
		frames->length[one] = others->length[two];
		break;
	default:
		break;
	}
}

static void change_head(uint8_t *frame, struct dice *dice)
{
	static const size_t fields[] = { 4, 6, 8, 12 };

	frame[fields[dice_below(dice, 4)] + dice_below(dice, 2)] ^=
		(uint8_t)(1u << dice_below(dice, 8));
}

void mutate_frames(struct input *input, const struct input *other,
		   struct dice *dice)
{
	static uint8_t plain[INPUT_SIZE_MAX];
	struct frames frames, others;
	struct input rest = *other;
	size_t size = 0, changes = 1 + dice_below(dice, 4);
	uint64_t id = repair_find_id(input->bytes, input->size);

	find_frames(&frames, input);
	find_frames(&others, &rest);
	if (!frames.count)
		return;
	shuffle(&frames, &others, dice);
	for (size_t i = 0; i < frames.count; i++) {
		size_t length = unpack(plain + size, sizeof(plain) - size,
				       frames.at[i], frames.length[i]);

		if (length)
			sw_put_u32(plain + size + 12, (uint32_t)i);
		size += length;
	}
	memcpy(input->bytes, plain, size);
	input->size = size;
	find_frames(&frames, input);
	while (changes-- > 0) {
		size_t i = dice_below(dice, frames.count);

		if (dice_below(dice, 8) == 0)
			change_head(frames.at[i], dice);
		else
			change_frame(frames.at[i], frames.length[i], dice);
	}
	if (dice_below(dice, 16) != 0)
		repair_file(input->bytes, input->size, id);
}

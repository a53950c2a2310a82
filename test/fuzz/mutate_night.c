/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damage to what "stepwell sweep --output" writes. */
#include <string.h>

#include "analyzer/keyed/keyed.h"
#include "profiles/layout.h"
#include "test/fuzz/mutate.h"

/* As analyzer/sweep/night/night_bytes.c has it. */
enum { HASH_AT = 24, HEAD_SIZE = 32 };

void mutate_night(struct input *input, const struct input *other,
		  struct dice *dice)
{
	struct input body = { input->bytes + HEAD_SIZE,
			      input->size - HEAD_SIZE };

	if (input->size < HEAD_SIZE)
		return;
	mutate_bytes(&body, other, dice);
	if (body.size > INPUT_SIZE_MAX - HEAD_SIZE)
		body.size = INPUT_SIZE_MAX - HEAD_SIZE;
	input->size = HEAD_SIZE + body.size;
	if (dice_below(dice, 16) != 0)
		sw_put_u64(input->bytes + HASH_AT,
			   sw_keyed_hash((const char *)body.bytes, body.size));
}

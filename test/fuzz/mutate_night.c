/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damages the output of "stepwell sweep --output". */
#include <string.h>

#include "analyzer/keyed/keyed.h"
#include "profiles/layout.h"
#include "test/fuzz/mutate.h"

/* Same as in analyzer/sweep/night/night_bytes.c. */
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

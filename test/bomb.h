/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generate malicious profiles: a valid one in which a frame of identical rows
 * is repeated, each time with the next sequence number and its checksum.
 */
#ifndef SW_TEST_BOMB_H
#define SW_TEST_BOMB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct bomb {
	uint64_t job_id, uid;
	const char *table;	/* table of the repeated frame */
	bool is_text;		/* alternating texts instead of numbers */
	size_t count;		/* number of frames */
};

/* Return 0, or -1 with *error. */
int bomb_write(const struct bomb *bomb, int dirfd, const char *name,
	       struct sw_error *error);

#endif

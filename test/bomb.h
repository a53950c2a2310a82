/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles made to harm: a good one of which one frame, of rows that all are
 * the same, comes again and again, each time with the next number and its sum.
 */
#ifndef SW_TEST_BOMB_H
#define SW_TEST_BOMB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct bomb {
	uint64_t job_id, uid;
	const char *table;	/* that comes again */
	bool is_text;		/* texts that differ, in place of numbers */
	size_t count;		/* of frames */
};

/* 0, or -1 with *error. */
int bomb_write(const struct bomb *bomb, int dirfd, const char *name,
	       struct sw_error *error);

#endif

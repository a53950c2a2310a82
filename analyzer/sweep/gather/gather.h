/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copy the summaries of one node to a folder shared by all nodes.  Each file is
 * copied completely or not at all, without following links or foreign names.
 */
#ifndef SW_ANALYZER_SWEEP_GATHER_GATHER_H
#define SW_ANALYZER_SWEEP_GATHER_GATHER_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct sw_gather {
	const char *from, *into;
	uint64_t oldest_seconds; /* older days are not copied */
	/* Report a file that was not copied; the text is safe to print. */
	void (*complain)(void *context, const char *text);
	void *context;
};

struct sw_gathered {
	size_t copied, unchanged, refused;
};

/*
 * Neither folder may be writable by others.  Waits for another copy from the
 * same node.  Return 0, or -1 with *error: nothing was copied.
 */
int sw_gather(struct sw_gathered *gathered, const struct sw_gather *gather,
	      struct sw_error *error);

/*
 * Delete files of older days from a folder with copies.  Files that cannot be
 * deleted stay.
 */
void sw_gather_expire(const char *folder, uint64_t oldest_seconds);

/*
 * Open a folder of summaries, which may not be writable by others.  Return a
 * descriptor, or -1 with *error.
 */
int sw_gather_open(const char *folder, struct sw_error *error);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The summaries of one node, copied to a folder that all nodes see: each file
 * as a whole or not at all, by whom neither a name nor a link leads elsewhere.
 */
#ifndef SW_ANALYZER_SWEEP_GATHER_GATHER_H
#define SW_ANALYZER_SWEEP_GATHER_GATHER_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct sw_gather {
	const char *from, *into;
	uint64_t oldest_seconds; /* older days stay where they are */
	/* A file that was not copied, in words that are safe to print. */
	void (*complain)(void *context, const char *text);
	void *context;
};

struct sw_gathered {
	size_t copied, unchanged, refused;
};

/*
 * Neither folder may be open to others' writes.  Waits for another that copies
 * from the same node.  0, or -1 with *error: nothing was copied.
 */
int sw_gather(struct sw_gathered *gathered, const struct sw_gather *gather,
	      struct sw_error *error);

/*
 * Of a folder that files were copied to, delete those of older days.  What
 * cannot be deleted stays.
 */
void sw_gather_expire(const char *folder, uint64_t oldest_seconds);

/*
 * Open a folder of summaries, which may not be open to others' writes.  A
 * descriptor, or -1 with *error.
 */
int sw_gather_open(const char *folder, struct sw_error *error);

#endif

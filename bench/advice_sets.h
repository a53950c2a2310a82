/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of past tasks to measure advice with: folders with a tasks.csv, packed
 * or not, and single files.
 */
#ifndef SW_BENCH_ADVICE_SETS_H
#define SW_BENCH_ADVICE_SETS_H

#include "analyzer/traces/trace.h"

struct advice_set {
	char *name;		/* the folder's, or the file's */
	struct sw_trace trace;
	bool is_fixed_on;	/* stepwell's settings were chosen with it */
};

struct advice_sets {
	struct advice_set *items;
	size_t count;
	size_t left_out;	/* could not be read; stderr has why */
};

/*
 * Add the file, or of a folder its tasks.csv and those of the folders in it,
 * by name.  fixed_on: names of sets between commas.  0, or -1 where nothing
 * was added (stderr has why).
 */
int advice_sets_add(struct advice_sets *sets, const char *path,
		    const struct sw_trace_options *options,
		    const char *fixed_on);
void advice_sets_fini(struct advice_sets *sets);

/* The tasks of all sets, one set after the other. */
size_t advice_sets_tasks(const struct advice_sets *sets);

#endif

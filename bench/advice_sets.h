/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of past tasks to measure advice with: folders with a tasks.csv,
 * compressed or not, and single files.
 */
#ifndef SW_BENCH_ADVICE_SETS_H
#define SW_BENCH_ADVICE_SETS_H

#include "analyzer/traces/trace.h"

struct advice_set {
	char *name;		/* name of the folder or file */
	struct sw_trace trace;
	bool is_fixed_on;	/* used to choose settings */
};

struct advice_sets {
	struct advice_set *items;
	size_t count;
	size_t left_out;	/* unreadable; reason on stderr */
};

/*
 * Add a file, or a folder's tasks.csv and those of its subfolders, sorted by
 * name.  fixed_on: comma-separated names of sets.  0, or -1 if nothing was
 * added (reason on stderr).
 */
int advice_sets_add(struct advice_sets *sets, const char *path,
		    const struct sw_trace_options *options,
		    const char *fixed_on);
void advice_sets_fini(struct advice_sets *sets);

/* Return the number of tasks in all sets. */
size_t advice_sets_tasks(const struct advice_sets *sets);

#endif

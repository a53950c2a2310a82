/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the results: tables of sets, and their summary. */
#ifndef SW_BENCH_ADVICE_TABLES_H
#define SW_BENCH_ADVICE_TABLES_H

#include "bench/advice_sides.h"

/* All results: items[set * sides->count + side]. */
struct advice_results {
	const struct advice_sets *sets;
	const struct advice_sides *sides;
	struct advice_result *items;
};

/* Print a set: its workflows, unless there is only one, and the total. */
void advice_print_set(const struct advice_results *results, size_t set,
		      bool has_workflows);

/* advice_summary.c: ratios to others on each set, and geometric means. */
void advice_print_summary(const struct advice_results *results);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what was measured: tables of sets, and what they come to. */
#ifndef SW_BENCH_ADVICE_TABLES_H
#define SW_BENCH_ADVICE_TABLES_H

#include "bench/advice_sides.h"

/* All that was measured: results[set * sides->count + side]. */
struct advice_results {
	const struct advice_sets *sets;
	const struct advice_sides *sides;
	struct advice_result *items;
};

/* A set: the total, and before it its workflows unless there is only one. */
void advice_print_set(const struct advice_results *results, size_t set,
		      bool has_workflows);

/* advice_summary.c: ours to others' of each set, and geometric means. */
void advice_print_summary(const struct advice_results *results);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of bench_recorder. */
#ifndef BENCH_RECORDER_RESULTS_H
#define BENCH_RECORDER_RESULTS_H

#include "bench/recorder_run.h"

enum { RECORDER_PAIRS_MAX = 101, RECORDER_SIZES_MAX = 8 };

/* All pairs for one number of tasks and one of foreign processes. */
struct recorder_cell {
	struct recorder_costs pair[RECORDER_PAIRS_MAX];
};

struct recorder_results {
	size_t pair_count;
	size_t foreign_count, tasks_count;
	uint64_t foreign[RECORDER_SIZES_MAX];
	uint64_t tasks[RECORDER_SIZES_MAX];
};

/* Cells of a mode: cells[foreign][tasks]. */
typedef struct recorder_cell recorder_cells[RECORDER_SIZES_MAX]
					   [RECORDER_SIZES_MAX];

void recorder_results_print(const struct recorder_results *results,
			    const struct recorder_mode *mode,
			    recorder_cells cells);

/* Print the cost of a walk over /proc, walk_nsec[foreign][pair]. */
void recorder_results_print_walk(const struct recorder_results *results,
				 uint64_t walk_nsec[][RECORDER_PAIRS_MAX]);

#endif

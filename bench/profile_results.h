/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of bench_profile for one trace, and their output. */
#ifndef BENCH_PROFILE_RESULTS_H
#define BENCH_PROFILE_RESULTS_H

#include <stdint.h>

#include "bench/profile_sides.h"

enum { RESULTS_PAIRS_MAX = 100 };

/* Picoseconds per sample, by side and pair, to have whole numbers. */
typedef uint64_t results_psec[SIDE_COUNT][RESULTS_PAIRS_MAX];

struct results {
	const char *name;
	const struct trace *trace;
	uint64_t pair_count;
	results_psec write_psec;
	results_psec read_psec;
	uint64_t file_bytes[SIDE_COUNT];
	struct side_written memory[SIDE_COUNT];	/* at its maximum */
};

/* Goals; missing them is no failure. */
struct results_goals {
	double size_ratio;
	double cpu_ratio;
	double memory_mib;	/* of the writer, without its tail */
	double decode_nsec;
};

void results_print(const struct results *results,
		   const struct results_goals *goals);

#endif

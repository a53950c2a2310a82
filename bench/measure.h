/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cost of this process so far, for the benchmarks: CPU time from the process's
 * own clock (not sampled by tick), and resident memory.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdint.h>

#include "common/missing.h"

/*
 * SW_MISSING if the kernel does not provide it.  The memory is from
 * smaps_rollup if available, since VmRSS is approximate on kernels from 6.2 on.
 */
struct measure {
	uint64_t cpu_nsec;	/* CLOCK_PROCESS_CPUTIME_ID */
	uint64_t wall_nsec;	/* CLOCK_MONOTONIC */
	uint64_t rss_bytes;
	uint64_t high_water_bytes;	/* VmHWM */
};

/* CLOCK_PROCESS_CPUTIME_ID: all threads, user and system. */
uint64_t measure_cpu_nsec(void);
uint64_t measure_wall_nsec(void);

void measure_take(struct measure *now);

/*
 * Reset the high-water mark, so that the next one covers only what follows.
 * Returns -1 with errno if the kernel does not allow it.
 */
int measure_reset_high_water(void);

/*
 * Run the function in a child process and return its result, from 0 to 127, or
 * -1 with errno (ECHILD if the child died by a signal).  Each run gets a fresh
 * child, since a heap that an earlier run has grown makes the later one look
 * cheap: no page faults, no memory of its own.
 */
int measure_in_child(int (*function)(void *data), void *data);

/*
 * Sort the values and return the per_mille quantile (500: the median);
 * SW_MISSING if there are no values.
 */
uint64_t measure_quantile(uint64_t *values, uint64_t count,
			  unsigned int per_mille);

enum { MEASURE_PAIRS_MAX = 101 };

/* Spread over the pairs of a cell, in the printed unit. */
struct measure_spread {
	double median, least, greatest;
};

/* Spread of 1 to MEASURE_PAIRS_MAX values in thousandths. */
struct measure_spread measure_spread_of(const uint64_t *values,
					uint64_t count);

/* Parse an option's number, from 1 to max.  0, or -1 if it is none. */
int measure_parse_number(const char *text, uint64_t max, uint64_t *value);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this process has cost so far, for the benchmarks: CPU time from the
 * process's own clock (not sampled by tick), and resident memory.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdint.h>

#include "common/missing.h"

/*
 * SW_MISSING where the kernel does not say.  The memory is from smaps_rollup
 * where there is one, since VmRSS is approximate on kernels from 6.2 on.
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
 * Forgets the high-water mark, so that the next one is of what follows.
 * Returns -1 with errno where the kernel does not let it.
 */
int measure_reset_high_water(void);

/*
 * Runs the function in a child process and returns what it returned, from 0
 * to 127, or -1 with errno (ECHILD when the child died by a signal).  A fresh
 * child per run, since a heap that an earlier run has grown makes the later
 * one look cheap: no page faults, no memory of its own.
 */
int measure_in_child(int (*function)(void *data), void *data);

/*
 * Sorts the values and returns the one below which this many per mille of
 * them lie; SW_MISSING of none.  The median is 500.
 */
uint64_t measure_quantile(uint64_t *values, uint64_t count,
			  unsigned int per_mille);

enum { MEASURE_PAIRS_MAX = 101 };

/* Of the pairs of one cell, in what is printed. */
struct measure_spread {
	double median, least, greatest;
};

/* Of values in thousandths; at most MEASURE_PAIRS_MAX of them, not none. */
struct measure_spread measure_spread_of(const uint64_t *values,
					uint64_t count);

/* An option's number, from 1 to max.  0, or -1 where it is none. */
int measure_parse_number(const char *text, uint64_t max, uint64_t *value);

#endif

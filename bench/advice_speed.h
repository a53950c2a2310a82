/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Duration of a replay. */
#ifndef SW_BENCH_ADVICE_SPEED_H
#define SW_BENCH_ADVICE_SPEED_H

#include "bench/advice_sides.h"

/*
 * Replay this many tasks against each side on one core, and print the CPU time
 * and its ratio to that of the largest seen + 20 %. The tasks are those of the
 * sets in turn; if there are too few, they repeat as other groups.  0, or -1
 * (errno ENOMEM).
 */
int advice_print_speed(const struct advice_sets *sets,
		       const struct advice_sides *sides, size_t task_count);

#endif

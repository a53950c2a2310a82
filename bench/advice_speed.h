/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a replay takes. */
#ifndef SW_BENCH_ADVICE_SPEED_H
#define SW_BENCH_ADVICE_SPEED_H

#include "bench/advice_sides.h"

/*
 * Replay so many tasks against each side on one core, and print the CPU time
 * and its ratio to that of the largest seen + 20 %.  The tasks are those of
 * the sets in turn; where they are fewer, again as other groups.  0, or -1
 * (errno ENOMEM).
 */
int advice_print_speed(const struct advice_sets *sets,
		       const struct advice_sides *sides, size_t task_count);

#endif

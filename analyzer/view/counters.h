/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel and hardware counters of a task with all its threads and children, or
 * of all tasks, and ratios derived from them.  A ratio is NAN if a part of it
 * is missing.
 */
#ifndef SW_ANALYZER_COUNTERS_H
#define SW_ANALYZER_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Widths of floating-point instructions: scalar, 128, 256, 512 bits. */
enum { SW_FP_WIDTHS = 4 };

struct sw_view_counters {
	/* Kernel counters, and the CPU time they cover. */
	uint64_t counted_usec;
	uint64_t page_faults, major_faults, context_switches, cpu_migrations;
	/* Hardware counters in user mode; CPU time, and part counted. */
	uint64_t hw_usec, hw_counted_usec;
	uint64_t instructions, cycles, ref_cycles;
	uint64_t llc_misses, branch_misses, stalled_cycles;
	uint64_t fp_counted_usec, fp_single_counted_usec;
	uint64_t fp_operations;		/* of any width, if not by width */
	uint64_t fp_double[SW_FP_WIDTHS], fp_single[SW_FP_WIDTHS];
	/* Only user-mode page faults. */
	bool is_user_only;
};

/* Set all counters to missing. */
void sw_counters_clear(struct sw_view_counters *counters);
/* Add a part; its missing counters add nothing. */
void sw_counters_add(struct sw_view_counters *sum,
		     const struct sw_view_counters *part);

bool sw_counters_has_kernel(const struct sw_view_counters *counters);
bool sw_counters_has_hardware(const struct sw_view_counters *counters);

/* Instructions per cycle; last-level cache misses per 1000 instructions. */
double sw_counters_ipc(const struct sw_view_counters *counters);
double sw_counters_llc_rate(const struct sw_view_counters *counters);
/* Share of cycles in which nothing was executed. */
double sw_counters_stalled(const struct sw_view_counters *counters);
/* Share of the CPU time in which the hardware counters were scheduled. */
double sw_counters_share(const struct sw_view_counters *counters);
/* Floating-point operations, and the share done by vector instructions. */
double sw_counters_flops(const struct sw_view_counters *counters);
double sw_counters_vector(const struct sw_view_counters *counters);

#endif

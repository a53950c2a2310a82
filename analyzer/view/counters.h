/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kernel and processor counted of a task, with all its threads and
 * children, or of all tasks; and what follows from it.  Ratios are NAN where
 * a part of them is missing.
 */
#ifndef SW_ANALYZER_COUNTERS_H
#define SW_ANALYZER_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Widths of floating-point instructions: one number, 128, 256, 512 bits. */
enum { SW_FP_WIDTHS = 4 };

struct sw_view_counters {
	/* by the kernel, in so much CPU time */
	uint64_t counted_usec;
	uint64_t page_faults, major_faults, context_switches, cpu_migrations;
	/* by the processor in user mode, in so much of so much CPU time */
	uint64_t hw_usec, hw_counted_usec;
	uint64_t instructions, cycles, ref_cycles;
	uint64_t llc_misses, branch_misses, stalled_cycles;
	uint64_t fp_counted_usec, fp_single_counted_usec;
	uint64_t fp_operations;		/* of any kind, where none is told */
	uint64_t fp_double[SW_FP_WIDTHS], fp_single[SW_FP_WIDTHS];
	/* Page faults are the program's own, not the kernel's for it. */
	bool is_user_only;
};

/* All missing. */
void sw_counters_clear(struct sw_view_counters *counters);
/* What part does not know adds nothing. */
void sw_counters_add(struct sw_view_counters *sum,
		     const struct sw_view_counters *part);

bool sw_counters_has_kernel(const struct sw_view_counters *counters);
bool sw_counters_has_hardware(const struct sw_view_counters *counters);

/* Instructions per cycle; misses of the last cache per 1000 of them. */
double sw_counters_ipc(const struct sw_view_counters *counters);
double sw_counters_llc_rate(const struct sw_view_counters *counters);
/* Of the cycles those in which nothing was executed. */
double sw_counters_stalled(const struct sw_view_counters *counters);
/* Of the time in which should have been counted that in which was. */
double sw_counters_share(const struct sw_view_counters *counters);
/* Floating-point operations, and the share that vector instructions did. */
double sw_counters_flops(const struct sw_view_counters *counters);
double sw_counters_vector(const struct sw_view_counters *counters);

#endif

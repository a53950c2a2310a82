/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters that somebody chose by name, of all tasks: what their formulas make
 * of what was counted.
 */
#ifndef SW_ANALYZER_CHOSEN_H
#define SW_ANALYZER_CHOSEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SW_CHOSEN_MAX = 8 };

struct sw_view_chosen {
	char name[64];
	double value;	 /* NAN: see why */
	const char *why; /* it has no value; NULL */
	bool is_ratio;	 /* a formula that divides: there is no rate of it */
	uint64_t tasks;	 /* that it was counted of */
	uint64_t enabled_usec, running_usec; /* should have been, and was */
};

/* Per second of the step, and of that per task; NAN: not known. */
double sw_chosen_rate(const struct sw_view_chosen *chosen,
		      uint64_t elapsed_usec);
double sw_chosen_task_rate(const struct sw_view_chosen *chosen,
			   uint64_t elapsed_usec);
/* The part of the time in which it was counted, 0 to 1; NAN: not known. */
double sw_chosen_share(const struct sw_view_chosen *chosen);
/* Floating-point operations, which have a rate of their own name. */
bool sw_chosen_is_flops(const struct sw_view_chosen *chosen);

/* Add those of a part by name; a ratio of several parts is not known. */
void sw_chosen_add(struct sw_view_chosen *sum, size_t *count,
		   const struct sw_view_chosen *part, size_t part_count);

#endif

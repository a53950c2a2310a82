/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters requested by name, for all tasks: the results of their formulas. */
#ifndef SW_ANALYZER_CHOSEN_H
#define SW_ANALYZER_CHOSEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SW_CHOSEN_MAX = 8 };

struct sw_view_chosen {
	char name[64];
	double value;	 /* NAN: see why */
	const char *why; /* reason for NAN; NULL */
	bool is_ratio;	 /* a quotient: it has no rate */
	uint64_t tasks;	 /* that it was counted for */
	uint64_t enabled_usec, running_usec; /* time enabled, time counted */
};

/* Rate per second of the step, and per second and task; NAN if unknown. */
double sw_chosen_rate(const struct sw_view_chosen *chosen,
		      uint64_t elapsed_usec);
double sw_chosen_task_rate(const struct sw_view_chosen *chosen,
			   uint64_t elapsed_usec);
/* Share of the time in which it was counted, 0 to 1; NAN if unknown. */
double sw_chosen_share(const struct sw_view_chosen *chosen);
/* True for floating-point operations, whose rate is called FLOP/s. */
bool sw_chosen_is_flops(const struct sw_view_chosen *chosen);

/* Add a part's counters by name; a ratio over several parts is unknown. */
void sw_chosen_add(struct sw_view_chosen *sum, size_t *count,
		   const struct sw_view_chosen *part, size_t part_count);

#endif

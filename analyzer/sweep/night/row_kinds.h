/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of nodes on which a group ran, and on which it would fit. */
#ifndef SW_ANALYZER_SWEEP_NIGHT_ROW_KINDS_H
#define SW_ANALYZER_SWEEP_NIGHT_ROW_KINDS_H

#include "analyzer/nodes/catalogue.h"
#include "analyzer/sweep/night/lines.h"
#include "analyzer/sweep/night/night.h"

/* Zeroed: none. */
struct sw_sweep_kinds {
	struct sw_kind_choice *choices; /* fitting ones first, cheapest first */
	size_t count;
	/* Kind with most of its jobs in the night; NULL if unknown. */
	const struct sw_kind_choice *here;
	/* Cheapest one with a run time; NULL unless there are two. */
	const struct sw_kind_choice *best;
	bool is_whole; /* its jobs use all CPUs of their nodes */
};

/* Use jobs of both nights.  Return 0, or -1 (errno ENOMEM). */
int sw_sweep_kinds_init(struct sw_sweep_kinds *kinds,
			const struct sw_catalogue *catalogue,
			const struct sw_night *night,
			const struct sw_night *past,
			const struct sw_tally *group,
			const struct sw_sweep_lines *lines);
void sw_sweep_kinds_fini(struct sw_sweep_kinds *kinds);

#endif

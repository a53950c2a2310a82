/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On which kinds of nodes a group ran, and on which it would fit. */
#ifndef SW_ANALYZER_SWEEP_NIGHT_ROW_KINDS_H
#define SW_ANALYZER_SWEEP_NIGHT_ROW_KINDS_H

#include "analyzer/nodes/catalogue.h"
#include "analyzer/sweep/night/lines.h"
#include "analyzer/sweep/night/night.h"

/* All zero is none. */
struct sw_sweep_kinds {
	struct sw_kind_choice *choices; /* those that fit first, the cheapest */
	size_t count;
	/* Where most of its jobs of the night were; NULL: no kind is known. */
	const struct sw_kind_choice *here;
	/* Of those with a time the one that costs least; NULL: not two. */
	const struct sw_kind_choice *best;
	bool is_whole; /* its jobs have all CPUs of their nodes */
};

/* Of both nights.  0, or -1 (errno ENOMEM). */
int sw_sweep_kinds_init(struct sw_sweep_kinds *kinds,
			const struct sw_catalogue *catalogue,
			const struct sw_night *night,
			const struct sw_night *past,
			const struct sw_tally *group,
			const struct sw_sweep_lines *lines);
void sw_sweep_kinds_fini(struct sw_sweep_kinds *kinds);

#endif

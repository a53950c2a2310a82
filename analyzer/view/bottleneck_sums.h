/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What limited a step of which there are only sums: its series were dropped, or
 * it was too short for samples.  Without them nobody knows what was at the same
 * time, so that only bounds can be told.
 */
#ifndef SW_ANALYZER_BOTTLENECK_SUMS_H
#define SW_ANALYZER_BOTTLENECK_SUMS_H

#include <stdbool.h>

#include "analyzer/view/view.h"

/* At most as sure as that: of a CPU time the average is known, and no more. */
#define SW_SUMS_CONFIDENCE 0.5

struct sw_sums_bottleneck {
	enum sw_limited_by resource;	/* CPU, I/O or waiting */
	double share;		/* of the elapsed time, at least */
	double busy_cores, cores; /* on average, of those it had; of the CPU */
};

/* False where sums prove nothing, or samples tell more. */
bool sw_sums_bottleneck_find(struct sw_sums_bottleneck *bottleneck,
			     const struct sw_view *view);

#endif

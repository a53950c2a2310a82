/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of a step of which only sums are known: its series were dropped, or it
 * was too short for samples.  Sums do not show what happened at the same time,
 * so that only bounds are known.
 */
#ifndef SW_ANALYZER_BOTTLENECK_SUMS_H
#define SW_ANALYZER_BOTTLENECK_SUMS_H

#include <stdbool.h>

#include "analyzer/view/view.h"

/* Upper bound of the confidence: only averages of CPU time are known.  Chosen
 * by hand. */
#define SW_SUMS_CONFIDENCE 0.5

struct sw_sums_bottleneck {
	enum sw_limited_by resource;	/* CPU, I/O or waiting */
	double share;		/* of the elapsed time, at least */
	double busy_cores, cores; /* on average, of those it had; of the CPU */
};

/* Return false if sums prove nothing, or if samples are available. */
bool sw_sums_bottleneck_find(struct sw_sums_bottleneck *bottleneck,
			     const struct sw_view *view);

#endif

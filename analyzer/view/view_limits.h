/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of a step, summed over its time, and by phases. */
#ifndef SW_ANALYZER_VIEW_LIMITS_H
#define SW_ANALYZER_VIEW_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "common/limits.h"

/* Wall time on the node by limit; a sum adds up all parts. */
struct sw_view_limits {
	uint64_t usec[SW_LIMITS];	/* missing: not observed */
	/* Time in which no thread ran and one waited for this; these overlap.
	 * Missing if not observed, or without waits. */
	uint64_t stood_usec[SW_LIMIT_WAITS];
	const char *waits_source;	/* "bpf", "proc"; NULL without waits */
};

/* A part of the run with one limit. */
struct sw_phase {
	uint64_t start_usec, end_usec;	/* CLOCK_BOOTTIME */
	struct sw_view_limits limits;
};

enum { SW_PHASES_MAX = 12 };

#endif

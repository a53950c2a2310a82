/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What limited a step, added up over its time, and by phases. */
#ifndef SW_ANALYZER_VIEW_LIMITS_H
#define SW_ANALYZER_VIEW_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "common/limits.h"

/* Wall time on the node, by what limited it; of a sum that of all parts. */
struct sw_view_limits {
	uint64_t usec[SW_LIMITS];	/* missing: nothing was observed */
	/* Nothing ran, and a thread waited for this, whatever others waited
	 * for: these overlap.  Missing likewise, or without waits. */
	uint64_t stood_usec[SW_LIMIT_WAITS];
	const char *waits_source;	/* "bpf", "proc"; NULL: no waits */
};

/* A part of the run with one and the same limit. */
struct sw_phase {
	uint64_t start_usec, end_usec;	/* CLOCK_BOOTTIME */
	struct sw_view_limits limits;
};

enum { SW_PHASES_MAX = 12 };

#endif

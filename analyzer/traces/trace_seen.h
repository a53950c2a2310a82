/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks of a trace were seen.  A workflow that is resumed writes tasks of
 * the run before again, as CACHED, with the numbers that they had then.
 */
#ifndef SW_ANALYZER_TRACE_SEEN_H
#define SW_ANALYZER_TRACE_SEEN_H

#include "analyzer/traces/trace_format.h"

struct sw_trace_seen {
	uint64_t *slots;	/* hashes; 0 is free */
	size_t slot_count, count;
};

/*
 * Whether the row is one that was seen, and one of both is CACHED; if not it is
 * from now on.  0, or -1 (ENOMEM).
 */
int sw_trace_seen_add(struct sw_trace_seen *seen,
		      const struct sw_trace_row *row, bool *is_again);
void sw_trace_seen_fini(struct sw_trace_seen *seen);

bool sw_trace_is_cached(const struct sw_trace_row *row);

#endif

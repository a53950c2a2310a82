/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detect repeated tasks of a trace.  A resumed workflow writes tasks of the
 * previous run again, as CACHED, with their old numbers.
 */
#ifndef SW_ANALYZER_TRACE_SEEN_H
#define SW_ANALYZER_TRACE_SEEN_H

#include "analyzer/keyed/numbered.h"
#include "analyzer/traces/trace_format.h"

/*
 * Check if the row was seen before and one of both is CACHED, otherwise add it.
 * 0, or -1 (ENOMEM).
 */
int sw_trace_seen_add(struct sw_numbered *seen,
		      const struct sw_trace_row *row, bool *is_again);

bool sw_trace_is_cached(const struct sw_trace_row *row);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find the request of the first attempt at a task of a trace.  Workflow systems
 * raise the request of a retry because the previous attempt failed, so it
 * reveals the need and must be hidden from all methods.
 */
#ifndef SW_ANALYZER_TRACE_ATTEMPTS_H
#define SW_ANALYZER_TRACE_ATTEMPTS_H

#include "analyzer/keyed/numbered.h"
#include "analyzer/traces/trace_format.h"

/*
 * Note a row of the file, in order, including failed ones.  attempts has first
 * requests by the hash of their tasks.  0, or -1 (ENOMEM).
 */
int sw_trace_attempts_note(struct sw_numbered *attempts,
			   const struct sw_trace_row *row);

/* Return the first attempt's request for a retry; NAN: not in the file. */
double sw_trace_attempts_first(const struct sw_numbered *attempts,
			       const struct sw_trace_row *row);

/*
 * Replace retries by first attempts; a missing first request becomes the lowest
 * of the task's group.  0, or -1 (ENOMEM).
 */
int sw_trace_attempts_finish(struct sw_trace *trace);

#endif

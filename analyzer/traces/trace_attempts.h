/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the first attempt at a task of a trace asked for.  A workflow system
 * gives a retry more because the attempt before failed, so that its request
 * tells the need: no method may be shown it.
 */
#ifndef SW_ANALYZER_TRACE_ATTEMPTS_H
#define SW_ANALYZER_TRACE_ATTEMPTS_H

#include "analyzer/traces/trace_format.h"

struct sw_trace_attempts {
	/* First attempts by the hash of their names; 0 is free. */
	struct sw_trace_attempt {
		uint64_t name;
		double requested_bytes;
	} * slots;
	size_t slot_count, count;
};

void sw_trace_attempts_fini(struct sw_trace_attempts *attempts);

/* A row of the file, in its order, failed ones too.  0, or -1 (ENOMEM). */
int sw_trace_attempts_note(struct sw_trace_attempts *attempts,
			   const struct sw_trace_row *row);

/* Of a retry the first attempt's request; NAN: that is not in the file. */
double sw_trace_attempts_first(const struct sw_trace_attempts *attempts,
			       const struct sw_trace_row *row);

/*
 * Where first attempts are missing, the least that their group asked for.
 * What is left are tasks, shown as their first attempts.  0, or -1 (ENOMEM).
 */
int sw_trace_attempts_finish(struct sw_trace *trace);

#endif

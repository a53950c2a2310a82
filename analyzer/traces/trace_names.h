/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Number workflows and their tasks in order of appearance. */
#ifndef SW_ANALYZER_TRACE_NAMES_H
#define SW_ANALYZER_TRACE_NAMES_H

#include "analyzer/traces/trace.h"

struct sw_trace_names;

/* NULL: out of memory. */
struct sw_trace_names *sw_trace_names_new(void);
void sw_trace_names_free(struct sw_trace_names *names);

/* Return the group, adding it to the trace if it is new.  0, or -1 (ENOMEM). */
int sw_trace_names_get(struct sw_trace_names *names, struct sw_trace *trace,
		       const char *workflow, const char *task, size_t *group);

#endif

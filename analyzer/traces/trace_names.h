/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers for workflows and their tasks, in the order of their appearance. */
#ifndef SW_ANALYZER_TRACE_NAMES_H
#define SW_ANALYZER_TRACE_NAMES_H

#include "analyzer/traces/trace.h"

struct sw_trace_names;

/* NULL: no memory. */
struct sw_trace_names *sw_trace_names_new(void);
void sw_trace_names_free(struct sw_trace_names *names);

/* The group, added to the trace if it is new.  0, or -1 (errno ENOMEM). */
int sw_trace_names_get(struct sw_trace_names *names, struct sw_trace *trace,
		       const char *workflow, const char *task, size_t *group);

#endif

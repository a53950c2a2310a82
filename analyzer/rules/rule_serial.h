/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When one CPU was busy or wanted, and when several were. */
#ifndef SW_ANALYZER_RULE_SERIAL_H
#define SW_ANALYZER_RULE_SERIAL_H

#include "analyzer/view/view.h"

struct sw_serial {
	double serial_seconds, parallel_seconds;
	double serial_cpu_seconds;	/* CPU time used in the former */
};

/*
 * By the intervals of CPU time.  A thread that wanted a CPU counts as if it had
 * had one: neighbors do not change what the step is.
 */
struct sw_serial sw_serial_measure(const struct sw_view *view);

/* Why that does not tell how many CPUs the step has work for; or NULL. */
const char *sw_serial_blind_to(const struct sw_view *view);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time in which one CPU was busy or wanted, and in which several were. */
#ifndef SW_ANALYZER_RULE_SERIAL_H
#define SW_ANALYZER_RULE_SERIAL_H

#include "analyzer/view/view.h"

struct sw_serial {
	double serial_seconds, parallel_seconds;
	double serial_cpu_seconds;	/* CPU time of the serial part */
};

/*
 * Measure by intervals of CPU time.  A thread that wanted a CPU counts as
 * running, so that neighbors do not change the result.
 */
struct sw_serial sw_serial_measure(const struct sw_view *view);

/* Why this does not show how many CPUs the step can use, or NULL. */
const char *sw_serial_blind_to(const struct sw_view *view);

#endif

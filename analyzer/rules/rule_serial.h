/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When one CPU was busy, and when several were. */
#ifndef SW_ANALYZER_RULE_SERIAL_H
#define SW_ANALYZER_RULE_SERIAL_H

#include "analyzer/view/view.h"

struct sw_serial {
	double serial_seconds, parallel_seconds;
};

/* By the intervals of CPU time; threads that wanted a CPU count as busy. */
struct sw_serial sw_serial_measure(const struct sw_view *view);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters requested by name by user or site.  They are chosen once, before the
 * first step; each is a group of kernel counters on every task, and a formula
 * stored in the profile (src_counters.c).
 */
#ifndef SW_RECORDER_COUNTERS_H
#define SW_RECORDER_COUNTERS_H

#include "recorder/sources/pmu/pmu_papi.h"

enum { SW_COUNTERS_MAX = 8 };

/*
 * Choose counters by comma-separated names; NULL or "": none.  Queries libpapi,
 * which can take some milliseconds.
 */
void sw_counters_choose(const char *names, const struct sw_papi_origin *origin);

/* Use these counters rather than names.  For tests. */
void sw_counters_take(const struct sw_papi_counter *counters, size_t count);

/* Return the unavailable ones with reasons, or "". */
const char *sw_counters_refused(void);

#endif

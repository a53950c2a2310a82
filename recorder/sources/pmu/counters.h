/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters that user or site wants by name.  They are chosen once, before
 * the first step; each is a group of the kernel's counters on every task, and
 * a formula that the profile keeps (src_counters.c).
 */
#ifndef SW_RECORDER_COUNTERS_H
#define SW_RECORDER_COUNTERS_H

#include "recorder/sources/pmu/pmu_papi.h"

enum { SW_COUNTERS_MAX = 8 };

/*
 * Names with commas between them; NULL or "": none.  Asks libpapi, which may
 * take some milliseconds.
 */
void sw_counters_choose(const char *names, const struct sw_papi_origin *origin);

/* These, in place of any names.  For tests. */
void sw_counters_take(const struct sw_papi_counter *counters, size_t count);

/* Which of them cannot be had, and why; "". */
const char *sw_counters_refused(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that is called of libpapi: in a process of its own, for it may read
 * anything, block and abort.  Names, formulas and reads; nothing is ever
 * written by it.
 */
#ifndef SW_RECORDER_PAPI_LIBRARY_H
#define SW_RECORDER_PAPI_LIBRARY_H

#include "recorder/sources/pmu/components.h"
#include "recorder/sources/pmu/pmu_papi.h"

/*
 * Load it for presets: of its components only that of the processor begins.
 * False, with why, where it cannot be had.
 */
bool sw_papi_library_open(struct sw_papi_library *library);

/* All presets that it has a name for, at most max: how many. */
size_t sw_papi_library_name(struct sw_papi_counter *counters, size_t max);

/* Terms and formula of the counter's name, or the reason. */
void sw_papi_library_translate(struct sw_papi_counter *counter);

/* Why there are no presets of this processor; NULL: there are. */
const char *sw_papi_library_lack(void);

/* The calls of sw_components_use(), by libpapi. */
extern const struct sw_component_calls sw_papi_component_calls;

#endif

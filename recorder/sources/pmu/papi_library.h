/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All calls to libpapi: in a process of its own, since it may read anything,
 * block and abort.  Only names, formulas and reads; nothing is ever written by
 * it.
 */
#ifndef SW_RECORDER_PAPI_LIBRARY_H
#define SW_RECORDER_PAPI_LIBRARY_H

#include "recorder/sources/pmu/components.h"
#include "recorder/sources/pmu/pmu_papi.h"

/*
 * Load it for presets, with the processor's component only.  Return false, with
 * why, if unavailable.
 */
bool sw_papi_library_open(struct sw_papi_library *library);

/* Get the names of all presets, at most max.  Return their number. */
size_t sw_papi_library_name(struct sw_papi_counter *counters, size_t max);

/* Fill in terms and formula of the named counter, or the reason. */
void sw_papi_library_translate(struct sw_papi_counter *counter);

/* Return why there are no presets for this processor, or NULL. */
const char *sw_papi_library_lack(void);

/* libpapi's calls for sw_components_use() */
extern const struct sw_component_calls sw_papi_component_calls;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers to fill in a counter in libpapi's child. */
#ifndef SW_RECORDER_PAPI_TERMS_H
#define SW_RECORDER_PAPI_TERMS_H

#include "recorder/sources/pmu/pmu_papi.h"

/* Mark the counter as unavailable, without terms. */
void sw_papi_refuse(struct sw_papi_counter *counter, const char *why);

/* Add an event by its libpfm4 name.  Return false if it is unknown here. */
bool sw_papi_add_term(struct sw_papi_counter *counter, const char *name);

/* Translate a counter named like an event: that event, or the reason. */
void sw_papi_translate_native(struct sw_papi_counter *counter);

#endif

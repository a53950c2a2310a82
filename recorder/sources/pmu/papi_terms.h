/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libpapi's child fills a counter with. */
#ifndef SW_RECORDER_PAPI_TERMS_H
#define SW_RECORDER_PAPI_TERMS_H

#include "recorder/sources/pmu/pmu_papi.h"

/* It cannot be had, and has no terms. */
void sw_papi_refuse(struct sw_papi_counter *counter, const char *why);

/* One more event, by libpfm4's name.  False: this processor has none of it. */
bool sw_papi_add_term(struct sw_papi_counter *counter, const char *name);

/* Of a counter whose name is an event's: that one, or the reason. */
void sw_papi_translate_native(struct sw_papi_counter *counter);

#endif

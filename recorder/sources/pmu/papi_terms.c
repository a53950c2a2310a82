/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: libpapi's child.
 *
 * Encode the terms of a counter with libpfm4.
 */
#include "recorder/sources/pmu/papi_terms.h"

#include <stdio.h>
#include <string.h>

void sw_papi_refuse(struct sw_papi_counter *counter, const char *why)
{
	snprintf(counter->reason, sizeof(counter->reason), "%s", why);
	counter->term_count = 0;
}

bool sw_papi_add_term(struct sw_papi_counter *counter, const char *name)
{
	struct sw_papi_term *term = &counter->term[counter->term_count];
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	if (strlen(name) >= sizeof(term->name) ||
	    sw_pmu_encode(name, &attr) < 0)
		return false;
	strcpy(term->name, name);
	term->type = attr.type;
	term->config = attr.config;
	term->config1 = attr.config1;
	term->config2 = attr.config2;
	term->has_kernel = !attr.exclude_kernel;
	term->lacks_user = attr.exclude_user;
	counter->term_count++;
	return true;
}

void sw_papi_translate_native(struct sw_papi_counter *counter)
{
	if (sw_papi_add_term(counter, counter->name))
		strcpy(counter->formula, "N0|");
	else
		sw_papi_refuse(
			counter,
			sw_pmu_has_names()
				? "this processor has no event of that name"
				: "stepwell was built without libpfm4");
}

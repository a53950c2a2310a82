/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Components and events of PAPI that are refused.  libpapi does not show what
 * could be set: these are the components that open files for writing or set
 * registers, and the words by which those of PAPI up to 7.2 mark events that
 * PAPI_write() accepts (rocm_smi, amd_smi, nvml).
 */
#include "recorder/sources/pmu/components.h"

#include <string.h>

static bool has_any(const char *text, const char *const *parts)
{
	for (; *parts; parts++) {
		if (strcasestr(text, *parts))
			return true;
	}
	return false;
}

const char *sw_component_refusal(const char *name)
{
	static const char setter[] = "it sets limits, and stepwell only reads";
	static const char itself[] = "it counts only the process that reads it";
	static const struct {
		const char *name, *why;
	} refused[] = {
		{ "powercap", setter },
		{ "powercap_ppc", setter },
		{ "libmsr", setter },
		{ "perf_event", "its events are requested in counters" },
		{ "appio", itself },
		{ "io", itself },
	};
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (!strcmp(name, refused[i].name))
			return refused[i].why;
	}
	return NULL;
}

bool sw_component_is_settable(const char *event, const char *description)
{
	static const char *const names[] = {
		"limit",     "power_cap", "powercap", "perf_level",
		"overdrive", "fan_speed", "_reset",   "power_profile",
		"_set:",     ":set_",	  NULL,
	};
	static const char *const words[] = {
		"writable",   "writeable", "read/write", "write only",
		"write-only", "sets ",	   "can be set", NULL,
	};

	return has_any(event, names) || has_any(description, words);
}

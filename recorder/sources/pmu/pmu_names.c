/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event names of processors; all calls to libpfm4. */
#include "recorder/sources/pmu/pmu_names.h"

#include <string.h>

#include "config.h"

#ifdef HAVE_LIBPFM
#include <perfmon/pfmlib_perf_event.h>

int sw_pmu_encode(const char *name, struct perf_event_attr *attr)
{
	struct perf_event_attr found;
	pfm_perf_encode_arg_t arg = {
		.attr = &found,
		.size = sizeof(arg),
	};

	/* 0.2 ms the first time, no time later */
	if (pfm_initialize() != PFM_SUCCESS)
		return -1;
	memset(&found, 0, sizeof(found));
	if (pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT,
				      &arg) != PFM_SUCCESS)
		return -1;
	attr->type = found.type;
	attr->config = found.config;
	attr->config1 = found.config1;
	attr->config2 = found.config2;
	attr->exclude_user = found.exclude_user;
	attr->exclude_kernel = found.exclude_kernel;
	attr->exclude_hv = found.exclude_hv;
	return 0;
}

bool sw_pmu_has_names(void)
{
	return true;
}
#else
int sw_pmu_encode(const char *name, struct perf_event_attr *attr)
{
	(void)name;
	(void)attr;
	return -1;
}

bool sw_pmu_has_names(void)
{
	return false;
}
#endif

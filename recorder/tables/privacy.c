/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filter for texts of a job. */
#include "recorder/tables/privacy.h"

#include <stddef.h>

static enum sw_privacy recorded;

void sw_privacy_set(enum sw_privacy level)
{
	recorded = level;
}

bool sw_privacy_has_paths(void)
{
	return recorded < SW_PRIVACY_PROGRAMS;
}

bool sw_privacy_has_programs(void)
{
	return recorded < SW_PRIVACY_COUNTERS;
}

const char *sw_privacy_path(const char *text)
{
	return sw_privacy_has_paths() ? text : NULL;
}

const char *sw_privacy_program(const char *text)
{
	return sw_privacy_has_programs() ? text : NULL;
}

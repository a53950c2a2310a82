/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File names of profiles. */
#include "analyzer/trust/profile_name.h"

#include "common/text.h"

bool sw_is_profile_name(const char *name)
{
	return name[0] != '.' && (sw_has_suffix(name, ".stepwell") ||
				  sw_has_suffix(name, ".stepwell.part"));
}

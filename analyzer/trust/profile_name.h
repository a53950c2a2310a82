/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names that files of profiles have. */
#ifndef SW_ANALYZER_PROFILE_NAME_H
#define SW_ANALYZER_PROFILE_NAME_H

#include <stdbool.h>

/* NAME.stepwell, or NAME.stepwell.part of one that goes on or was cut off. */
bool sw_is_profile_name(const char *name);

#endif

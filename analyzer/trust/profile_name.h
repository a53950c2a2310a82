/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File names of profiles. */
#ifndef SW_ANALYZER_PROFILE_NAME_H
#define SW_ANALYZER_PROFILE_NAME_H

#include <stdbool.h>

/* NAME.stepwell, or NAME.stepwell.part while recording or if cut off. */
bool sw_is_profile_name(const char *name);

#endif

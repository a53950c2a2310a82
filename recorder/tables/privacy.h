/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filter for texts of a job: each passes it before it is written to a row, or
 * is not collected at all.
 */
#ifndef SW_RECORDER_PRIVACY_H
#define SW_RECORDER_PRIVACY_H

#include <stdbool.h>

#include "common/recorder_keys.h"

/* Call once at the start; the default is SW_PRIVACY_FULL. */
void sw_privacy_set(enum sw_privacy level);

/* Return true if paths, peers and functions of programs are recorded. */
bool sw_privacy_has_paths(void);
bool sw_privacy_has_programs(void);

/* Return the text, or NULL if such texts are not recorded. */
const char *sw_privacy_path(const char *text);
const char *sw_privacy_program(const char *text);

#endif

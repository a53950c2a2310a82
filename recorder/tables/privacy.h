/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which texts of a job may be written: each passes here on its way into a row,
 * or is not looked for at all.
 */
#ifndef SW_RECORDER_PRIVACY_H
#define SW_RECORDER_PRIVACY_H

#include <stdbool.h>

#include "common/recorder_keys.h"

/* Once, at the start; SW_PRIVACY_FULL without it. */
void sw_privacy_set(enum sw_privacy level);

/* Are paths, peers and functions of programs recorded? */
bool sw_privacy_has_paths(void);
bool sw_privacy_has_programs(void);

/* The text, or NULL where such texts are not recorded. */
const char *sw_privacy_path(const char *text);
const char *sw_privacy_program(const char *text);

#endif

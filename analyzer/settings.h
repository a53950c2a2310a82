/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings file stepwell.yaml: thresholds of the rules, and where profiles
 * are.  The only user of libyaml.
 */
#ifndef SW_ANALYZER_SETTINGS_H
#define SW_ANALYZER_SETTINGS_H

#include <stddef.h>

#include "common/error.h"

struct sw_rule;
struct sw_settings;

/*
 * Read path, or where it is NULL $STEPWELL_CONF, or else
 * SYSCONFDIR/stepwell/stepwell.yaml; only that last one may be missing.
 * NULL with *error: "FILE:LINE:COLUMN: what is wrong, so what".
 */
struct sw_settings *sw_settings_load(const char *path, struct sw_error *error);

/* The value of a rule's index-th setting: the file's, else the default. */
double sw_settings_rule(const struct sw_settings *settings,
			const struct sw_rule *rule, size_t index);

/* Where the profiles of Slurm jobs go, one folder for each UID; or NULL. */
const char *sw_settings_profile_dir(const struct sw_settings *settings);

void sw_settings_free(struct sw_settings *settings);

#endif

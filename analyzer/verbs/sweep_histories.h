/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write the histories of users from a sweep. */
#ifndef SW_ANALYZER_VERBS_SWEEP_HISTORIES_H
#define SW_ANALYZER_VERBS_SWEEP_HISTORIES_H

#include "analyzer/sweep/night/night.h"

/*
 * Add the runs of a night to the histories of their users, if the settings name
 * a folder for them.  Print errors and return an exit status.
 */
int sw_verb_sweep_histories(const struct sw_night *night,
			    const struct sw_settings *settings);

/*
 * Return true if a job that merges parts may do this: only root may chown
 * files.
 */
bool sw_sweep_joins_histories(void);

/*
 * Without such a job: use the newest earlier night in the folder of past
 * nights, if any.  Return as above.
 */
int sw_verb_sweep_last_histories(const char *folder, uint64_t from_seconds,
				 const struct sw_settings *settings);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep leaves for each user. */
#ifndef SW_ANALYZER_VERBS_SWEEP_HISTORIES_H
#define SW_ANALYZER_VERBS_SWEEP_HISTORIES_H

#include "analyzer/sweep/night/night.h"

/*
 * The runs of a night into the histories of their users, where the settings
 * name a folder for them.  Returns an exit status, after having complained.
 */
int sw_verb_sweep_histories(const struct sw_night *night,
			    const struct sw_settings *settings);

/*
 * Whether a job that joins parts can do that: only root's may give files away.
 */
bool sw_sweep_joins_histories(void);

/*
 * Instead of such a job: of the newest night before that one, in the folder of
 * past nights, if there is one.  As above.
 */
int sw_verb_sweep_last_histories(const char *folder, uint64_t from_seconds,
				 const struct sw_settings *settings);

#endif

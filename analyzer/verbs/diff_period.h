/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "diff --group": the runs of a period, and those before it. */
#ifndef SW_ANALYZER_VERBS_DIFF_PERIOD_H
#define SW_ANALYZER_VERBS_DIFF_PERIOD_H

#include "analyzer/diff/diff.h"

struct sw_settings;

struct sw_diff_period {
	struct sw_history_prints before, period;
	const struct sw_fingerprint **runs; /* of both */
	struct sw_diff diff;
};

/*
 * Compare the runs of the group that ended in [from, until) with those before,
 * by the history.  until NULL: now.  Return an exit status after printing an
 * error; free with sw_diff_period_fini() in any case.
 */
int sw_diff_period_find(struct sw_diff_period *period, const char *group,
			const char *from, const char *until,
			const struct sw_settings *settings);
void sw_diff_period_fini(struct sw_diff_period *period);

#endif

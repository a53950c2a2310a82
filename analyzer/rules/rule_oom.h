/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the rules about OOM kills. */
#ifndef SW_ANALYZER_RULE_OOM_H
#define SW_ANALYZER_RULE_OOM_H

#include "analyzer/rules/rule.h"

/* Return true if the kernel OOM-killed any process of the step. */
bool sw_oom_happened(const struct sw_view *view);

/* Return why a kill may have gone unseen; NULL if it would have been seen. */
const char *sw_oom_unseen(const struct sw_view *view);

/* Its exit status is 0, and no record read from Slurm shows the kill. */
bool sw_oom_is_silent(const struct sw_view *view);

/*
 * Append a finding on the kills: program, time, limit and peak, then
 * consequence.  Return 0, or -1 (errno).
 */
int sw_oom_report(const struct sw_view *view, const char *id,
		  const char *consequence, struct sw_findings *findings);

#endif

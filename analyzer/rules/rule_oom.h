/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two rules on OOM kills share. */
#ifndef SW_ANALYZER_RULE_OOM_H
#define SW_ANALYZER_RULE_OOM_H

#include "analyzer/rules/rule.h"

/* Whether the kernel killed anything of the step for memory. */
bool sw_oom_happened(const struct sw_view *view);

/* Why it may have happened all the same; NULL: it would have been seen. */
const char *sw_oom_unseen(const struct sw_view *view);

/* Its exit status is 0, and Slurm's record does not show it, or was not read. */
bool sw_oom_is_silent(const struct sw_view *view);

/*
 * Append a finding on the kills: who, when, at which limit and peak, then
 * consequence.  0, or -1 (errno).
 */
int sw_oom_report(const struct sw_view *view, const char *id,
		  const char *consequence, struct sw_findings *findings);

#endif

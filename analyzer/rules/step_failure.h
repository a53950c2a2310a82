/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of which program a step failed. */
#ifndef SW_ANALYZER_STEP_FAILURE_H
#define SW_ANALYZER_STEP_FAILURE_H

#include "analyzer/rules/finding.h"
#include "analyzer/view/view.h"

/*
 * A finding where the step exited with a failure no later than so long after
 * a program in it had done so, and of that program more is known than its
 * status.  0 or -1.
 */
int sw_step_failure_tell(const struct sw_view *view, const char *id,
			 double max_seconds, struct sw_findings *findings);

#endif

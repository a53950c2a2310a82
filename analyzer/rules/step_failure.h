/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of which program a step failed. */
#ifndef SW_ANALYZER_STEP_FAILURE_H
#define SW_ANALYZER_STEP_FAILURE_H

#include "analyzer/rules/finding.h"
#include "analyzer/view/view.h"

/*
 * A finding of the program whose failure explains best that the step exited
 * with a failure, of several the first; setting as of program.failed.  0, or
 * -1.
 */
int sw_step_failure_tell(const struct sw_view *view, const double *setting,
			 struct sw_findings *findings);

/* By itself: what Slurm or a signal ended has its own findings. */
bool sw_step_has_exited(const struct sw_view *view);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the program whose failure made a step fail. */
#ifndef SW_ANALYZER_STEP_FAILURE_H
#define SW_ANALYZER_STEP_FAILURE_H

#include "analyzer/rules/finding.h"
#include "analyzer/view/view.h"

/*
 * Append a finding for the program whose failure best explains the step's, the
 * first of several; setting as in program.failed.  Return 0, or -1.
 */
int sw_step_failure_tell(const struct sw_view *view, const double *setting,
			 struct sw_findings *findings);

/* By itself: ends by Slurm or by a signal have other findings. */
bool sw_step_has_exited(const struct sw_view *view);

#endif

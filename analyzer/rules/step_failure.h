/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of which program a step failed. */
#ifndef SW_ANALYZER_STEP_FAILURE_H
#define SW_ANALYZER_STEP_FAILURE_H

#include "analyzer/rules/finding.h"
#include "analyzer/view/view.h"

/* Of a shell's status 127, or 126. */
#define SW_TITLE_NOT_FOUND	"A command was not found"
#define SW_TITLE_NOT_EXECUTABLE "A command could not be executed"

/*
 * A finding where the step exited with a failure no later than so long after
 * a program in it had done so, and of that program more is known than its
 * status.  How many findings it added, or -1.
 */
int sw_step_failure_tell(const struct sw_view *view, const char *id,
			 double max_seconds, struct sw_findings *findings);

/*
 * The same of the last program to end, if it had the status that the step then
 * had.
 */
int sw_step_failure_tell_last(const struct sw_view *view, const char *id,
			      double max_seconds,
			      struct sw_findings *findings);

/* By itself: what Slurm or a signal ended has its own findings. */
bool sw_step_has_exited(const struct sw_view *view);

/* The step's own command, of which the exit status is known already. */
bool sw_step_is_command(const struct sw_view *view,
			const struct sw_view_program *program);

#endif

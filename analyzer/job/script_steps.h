/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the end of a batch script and those of its job's steps belong together.
 */
#ifndef SW_ANALYZER_SCRIPT_STEPS_H
#define SW_ANALYZER_SCRIPT_STEPS_H

#include "analyzer/job/job.h"

/*
 * Set slurm.is_unawaited of the views of steps that Slurm ended since their
 * script had, and slurm.is_told_by_step of the script's.
 */
void sw_job_mark_script_steps(struct sw_job *job);

/* Set slurm.launched_* of the script's view; the job's steps are joined. */
void sw_job_count_script_steps(struct sw_job *job);

/*
 * The step, on one node, that failed first of those with the end that the
 * script passed on as its own; NULL: none did.
 */
const struct sw_view *sw_job_failed_step(const struct sw_job *job);

#endif

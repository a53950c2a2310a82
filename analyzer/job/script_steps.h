/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Relate the end of a batch script to the ends of its job's steps. */
#ifndef SW_ANALYZER_SCRIPT_STEPS_H
#define SW_ANALYZER_SCRIPT_STEPS_H

#include "analyzer/job/job.h"

/*
 * Set slurm.is_unawaited in views of steps that Slurm ended with their script,
 * and slurm.is_told_by_step in the script's.
 */
void sw_job_mark_script_steps(struct sw_job *job);

/* Set slurm.launched_* in the script's view; steps are joined already. */
void sw_job_count_script_steps(struct sw_job *job);

/*
 * Return the step on one node that failed first, among those whose end the
 * script passed on as its own; NULL if there is none.
 */
const struct sw_view *sw_job_failed_step(const struct sw_job *job);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps that Slurm ended since their batch script had. */
#ifndef SW_ANALYZER_UNAWAITED_H
#define SW_ANALYZER_UNAWAITED_H

#include "analyzer/job/job.h"

/* Set slurm.is_unawaited of the views of these steps on all nodes. */
void sw_job_mark_unawaited(struct sw_job *job);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find the files of a job's newest run.  A requeued job keeps its number, and
 * its restart count is not always known: Slurm gives it to some steps only, and
 * in some releases to none.
 */
#ifndef SW_ANALYZER_JOBRUN_H
#define SW_ANALYZER_JOBRUN_H

#include "analyzer/recordings/jobfile.h"

/*
 * Move the files of the newest run to the front, followed by those of earlier
 * runs, each in order; set *newest to the number of the former.  Return the
 * number of earlier runs.
 */
size_t sw_jobrun_split(struct sw_jobfile *files, size_t count,
		       size_t *newest);

#endif

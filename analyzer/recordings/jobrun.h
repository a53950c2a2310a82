/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files of a job are of its newest run.  A job that was requeued has
 * the same number again; how often it was is not always known, as Slurm tells
 * it only to some steps (and some releases to none).
 */
#ifndef SW_ANALYZER_JOBRUN_H
#define SW_ANALYZER_JOBRUN_H

#include "analyzer/recordings/jobfile.h"

/*
 * Put the files of one job's newest run first, in their order, and those of
 * earlier runs behind them; *newest becomes how many the former are.  Returns
 * how many earlier runs there are.
 */
size_t sw_jobrun_split(struct sw_jobfile *files, size_t count,
		       size_t *newest);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "sweep --collect", and its work on each node. */
#ifndef SW_ANALYZER_SWEEP_COLLECT_H
#define SW_ANALYZER_SWEEP_COLLECT_H

#include <stdbool.h>

#include "analyzer/settings/settings.h"
#include "analyzer/sweep/gather/sbatch.h"

/*
 * Collect the summaries of all nodes.  Wait for them if after is NULL;
 * otherwise set after to the id of the job that ends last.  Return an exit
 * status, SW_EXIT_PARTIAL if there are no new summaries.
 */
int sw_verb_sweep_collect(const struct sw_settings *settings, bool is_quiet,
			  char after[SW_SBATCH_JOB_SIZE]);

/* Copy this node's summaries into a folder.  Return an exit status. */
int sw_verb_sweep_collect_into(const struct sw_settings *settings,
			       const char *folder, bool is_quiet);

#endif

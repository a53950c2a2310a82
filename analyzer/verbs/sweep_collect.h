/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "sweep --collect", and what it does on each node. */
#ifndef SW_ANALYZER_SWEEP_COLLECT_H
#define SW_ANALYZER_SWEEP_COLLECT_H

#include <stdbool.h>

#include "analyzer/settings/settings.h"
#include "analyzer/sweep/gather/sbatch.h"

/*
 * Brings the summaries of all nodes.  after NULL: waits for them; else it is
 * the number of the job that ends behind all.  Returns an exit status, which is
 * SW_EXIT_PARTIAL where there are no more summaries than before.
 */
int sw_verb_sweep_collect(const struct sw_settings *settings, bool is_quiet,
			  char after[SW_SBATCH_JOB_SIZE]);

/* Copies those of this node into a folder.  Returns an exit status. */
int sw_verb_sweep_collect_into(const struct sw_settings *settings,
			       const char *folder, bool is_quiet);

#endif

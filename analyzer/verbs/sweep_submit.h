/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "sweep --submit": the same request as jobs of Slurm. */
#ifndef SW_ANALYZER_VERBS_SWEEP_SUBMIT_H
#define SW_ANALYZER_VERBS_SWEEP_SUBMIT_H

#include "analyzer/verbs/sweep_page.h"

/* parts: as the user wrote it.  Returns an exit status. */
int sw_verb_sweep_submit(const struct sw_sweep_request *page, const char *parts,
			 const char *folder, uint64_t from_seconds,
			 uint64_t until_seconds);

#endif

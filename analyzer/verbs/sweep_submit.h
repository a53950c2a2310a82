/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "sweep --submit": the same request as jobs of Slurm. */
#ifndef SW_ANALYZER_VERBS_SWEEP_SUBMIT_H
#define SW_ANALYZER_VERBS_SWEEP_SUBMIT_H

#include "analyzer/verbs/sweep_page.h"

struct sw_sweep_parts {
	const char *parts;  /* how many, as the user wrote it */
	const char *folder; /* of past nights */
	const char *after;  /* a job that has to end first; or NULL */
	uint64_t from_seconds, until_seconds;
};

/* Whether it can be done so.  Returns an exit status. */
int sw_verb_sweep_submit_check(const struct sw_sweep_request *page,
			       const char *parts);

/* Returns an exit status. */
int sw_verb_sweep_submit(const struct sw_sweep_request *page,
			 const struct sw_sweep_parts *parts);

#endif

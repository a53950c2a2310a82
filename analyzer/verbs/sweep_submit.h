/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "sweep --submit": the same request as Slurm jobs. */
#ifndef SW_ANALYZER_VERBS_SWEEP_SUBMIT_H
#define SW_ANALYZER_VERBS_SWEEP_SUBMIT_H

#include "analyzer/verbs/sweep_page.h"

struct sw_sweep_parts {
	const char *parts;  /* number, as given by the user */
	const char *folder; /* of past nights */
	const char *after;  /* job that has to end first; or NULL */
	uint64_t from_seconds, until_seconds;
};

/* Check that the request can be submitted.  Return an exit status. */
int sw_verb_sweep_submit_check(const struct sw_sweep_request *page,
			       const char *parts);

/* Return an exit status. */
int sw_verb_sweep_submit(const struct sw_sweep_request *page,
			 const struct sw_sweep_parts *parts);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of jobs.  Slurm assigns ids sequentially, so a bit for each id in a
 * range is small: some 125 KB for a million jobs.
 */
#ifndef SW_ANALYZER_JOB_SET_H
#define SW_ANALYZER_JOB_SET_H

#include "analyzer/keyed/keyed.h"

/* Zeroed: empty. */
struct sw_job_set {
	struct sw_keyed pages;
	struct sw_job_page *last; /* page used last */
};

/* Return 0, or -1 (errno ENOMEM). */
int sw_job_set_add(struct sw_job_set *set, uint32_t cluster, uint64_t job_id);
bool sw_job_set_has(struct sw_job_set *set, uint32_t cluster, uint64_t job_id);
void sw_job_set_fini(struct sw_job_set *set);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tallies by pipeline, run, task, step and program.  Users choose these names,
 * possibly a new one for each job, so the number of names per user is limited:
 * beyond the limit, all names of a kind of that user become one tally without a
 * name.  The result depends on the set of names, but not on their order or on
 * how the jobs were divided by user.
 */
#ifndef SW_ANALYZER_NAMED_H
#define SW_ANALYZER_NAMED_H

#include "analyzer/sweep/night/measure.h"

/* Limit on a user's names of a kind; 0 for other kinds. */
size_t sw_named_most(enum sw_tally_of of);

/*
 * Add a measured job (with its cost) and its steps.  counts is zeroed
 * initially, and kept while jobs are added.  Return 0, or -1 (errno ENOMEM).
 */
int sw_named_add(struct sw_keyed *counts, struct sw_keyed *tallies,
		 const struct sw_job_record *job,
		 const struct sw_measured *measured,
		 const struct sw_step_summary *rows, size_t count);

/* Apply the limits after merging.  Return 0, or -1 (errno ENOMEM). */
int sw_named_bound(struct sw_keyed *tallies);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tallies by pipeline, run, task, step and program.  Users name these, one name
 * for each job if they like, so that only so many names of each user are kept:
 * with one more, all of that kind of that user are one tally without a name.
 * What is kept depends on which names there are, and not on their order or on
 * how the jobs were divided by their users.
 */
#ifndef SW_ANALYZER_NAMED_H
#define SW_ANALYZER_NAMED_H

#include "analyzer/sweep/night/measure.h"

/* How many names of a kind a user may have; 0: it is no such kind. */
size_t sw_named_most(enum sw_tally_of of);

/*
 * Add a job, as measured (with its cost), and its steps.  counts is all zero at
 * first, and kept while jobs are added.  0, or -1 (errno ENOMEM).
 */
int sw_named_add(struct sw_keyed *counts, struct sw_keyed *tallies,
		 const struct sw_job_record *job,
		 const struct sw_measured *measured,
		 const struct sw_step_summary *rows, size_t count);

/* What merging made too many.  0, or -1 (errno ENOMEM). */
int sw_named_bound(struct sw_keyed *tallies);

#endif

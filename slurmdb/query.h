/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs from slurmdbd, one window of time after the other. */
#ifndef SW_SLURMDB_QUERY_H
#define SW_SLURMDB_QUERY_H

#include <stdbool.h>

#include "slurmdb/columns.h"

struct sw_slurmdb_query {
	void *connection;
	time_t from, until;	/* the end of jobs; both are in it */
	void *states;		/* a list of numbers as text */
	void *clusters;		/* a list of names; NULL: all */
	bool has_all_runs;	/* also those before a requeue */
};

/*
 * Windows of an hour at most, halved where a result is too large; the jobs of a
 * window are printed in sacct's order, and freed before the next is asked for.
 * 0, or -1 with errno.
 */
int sw_slurmdb_print_jobs(FILE *out, const struct sw_slurmdb_query *query,
			  const struct sw_slurmdb_format *format);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs from slurmdbd, one time window after another. */
#ifndef SW_SLURMDB_QUERY_H
#define SW_SLURMDB_QUERY_H

#include <stdbool.h>

#include "slurmdb/columns.h"

struct sw_slurmdb_query {
	void *connection;
	time_t from, until;	/* end of the jobs, both inclusive */
	void *states;		/* a list of numbers as text */
	void *clusters;		/* a list of names; NULL: all */
	bool has_all_runs;	/* include those before a requeue */
};

/*
 * Print jobs in windows of an hour at most, halved if a result is too large.
 * The jobs of a window are printed in sacct's order, and freed before the next
 * request.  Return 0, or -1 with errno.
 */
int sw_slurmdb_print_jobs(FILE *out, const struct sw_slurmdb_query *query,
			  const struct sw_slurmdb_format *format);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns read by analyzer/records, each printed as by sacct -P. */
#ifndef SW_SLURMDB_COLUMNS_H
#define SW_SLURMDB_COLUMNS_H

#include <stdio.h>

#include "slurmdb/slurm_calls.h"

enum { SW_SLURMDB_COLUMNS_MAX = 64 };

struct sw_slurmdb_format {
	size_t columns[SW_SLURMDB_COLUMNS_MAX];
	size_t count;
	const char *delimiter;
	void *tres_list, *qos_list;	/* names; each may be NULL */
};

/* Print their names, as in --helpformat. */
void sw_slurmdb_print_names(FILE *out);

/* Parse "JobID,State".  Return 0, or -1 with *unknown at the bad column. */
int sw_slurmdb_format_read(struct sw_slurmdb_format *format, const char *text,
			   const char **unknown);

/* Print a line of a step, or of the job if step is NULL. */
void sw_slurmdb_print(FILE *out, const struct sw_slurmdb_format *format,
		      slurmdb_job_rec_t *job, slurmdb_step_rec_t *step);

#endif

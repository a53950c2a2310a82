/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns that analyzer/records reads, each as sacct -P prints it. */
#ifndef SW_SLURMDB_COLUMNS_H
#define SW_SLURMDB_COLUMNS_H

#include <stdio.h>

#include "slurmdb/slurm_calls.h"

enum { SW_SLURMDB_COLUMNS_MAX = 64 };

struct sw_slurmdb_format {
	size_t columns[SW_SLURMDB_COLUMNS_MAX];
	size_t count;
	const char *delimiter;
	void *tres_list, *qos_list;	/* the names of both; may be NULL */
};

/* Their names, as --helpformat has them. */
void sw_slurmdb_print_names(FILE *out);

/* "JobID,State"; 0, or -1: *unknown is the begin of what is no column. */
int sw_slurmdb_format_read(struct sw_slurmdb_format *format, const char *text,
			   const char **unknown);

/* A line; step NULL: of the job. */
void sw_slurmdb_print(FILE *out, const struct sw_slurmdb_format *format,
		      slurmdb_job_rec_t *job, slurmdb_step_rec_t *step);

#endif

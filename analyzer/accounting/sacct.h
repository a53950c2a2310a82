/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Query Slurm's accounting with sacct(1), whose output is not trusted. */
#ifndef SW_ANALYZER_SACCT_H
#define SW_ANALYZER_SACCT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/accounting/job_record.h"
#include "analyzer/accounting/record_fields.h"
#include "common/error.h"
#include "common/jobid.h"

/* Runs of jobs, each followed by its steps as if they were jobs
 * (record_run.h): id.step is "" for a job. */
struct sw_acct {
	struct sw_job_record *rows;
	size_t count;
	size_t skipped;		/* lines not of the job */
	char *text;		/* of their texts */
};

/* A query of sacct */
struct sw_acct_question {
	const char *ids;	/* jobs, "12,13_4" */
	const char *format;	/* columns */
	bool has_header;	/* the first line has the column names */
	bool has_all_runs;	/* also runs before a requeue */
	unsigned wait_seconds;	/* maximum; 0: 30 */
};

/*
 * Return the output of sacct --parsable2, allocated; times are in seconds since
 * the Epoch.  NULL with *error and errno: ENOENT (no sacct), ETIMEDOUT, EFBIG,
 * EIO.
 */
char *sw_acct_ask(const struct sw_acct_question *what, struct sw_error *error);

/*
 * Run sacct for the id.  0, or -1 with *error and errno: ENOENT (no sacct),
 * ESRCH (job unknown), ENOTUNIQ (an array or a heterogeneous job without an
 * element), ETIMEDOUT, EIO.
 */
int sw_acct_query(struct sw_acct *acct, const struct sw_jobid *id,
		  struct sw_error *error);

/* Set the fields to query. */
void sw_acct_fields(struct sw_record_fields *fields);

/* The same from sacct's output, allocated, which acct frees. */
int sw_acct_parse(struct sw_acct *acct, char *text, const struct sw_jobid *id,
		  struct sw_error *error);

/*
 * Run sacct for jobs, "12,13_4", with all runs of each, with a timeout short
 * enough for a report.  Returns as sw_acct_query(), but if all are unknown it
 * is no failure.
 */
int sw_acct_query_runs(struct sw_acct *acct, const char *ids,
		       struct sw_error *error);
int sw_acct_parse_runs(struct sw_acct *acct, char *text,
		       struct sw_error *error);

/*
 * Return the allocation of the run of a job that was running at a time
 * (SW_MISSING: of the last run); id.step is ignored, the cluster compared only
 * if both are known.  NULL: none.
 */
const struct sw_job_record *sw_acct_find(const struct sw_acct *acct,
				       const struct sw_jobid *id,
				       const char *cluster,
				       uint64_t time_seconds);

/* Return a step of the same run; NULL. */
const struct sw_job_record *sw_acct_find_step(const struct sw_acct *acct,
					    const struct sw_job_record *job,
					    const char *step);

/* Has it ended according to Slurm? */
bool sw_acct_is_final(const struct sw_job_record *row);

void sw_acct_fini(struct sw_acct *acct);

#endif

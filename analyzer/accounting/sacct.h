/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Slurm's accounting knows of jobs: asked from sacct(1), whose output is
 * not trusted.
 */
#ifndef SW_ANALYZER_SACCT_H
#define SW_ANALYZER_SACCT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/accounting/record_fields.h"
#include "common/error.h"
#include "common/jobid.h"

/* A line of sacct: the job's allocation, or a step of it. */
struct sw_acct_row {
	struct sw_jobid id;		/* id.step "": the allocation */
	size_t run;			/* of one run of a job the same */
	char state[40];			/* "CANCELLED by 1000" */
	char cluster[64], user[64], nodes[256];
	uint64_t exit_code, signal;	/* Slurm's 0:125 is no signal */
	uint64_t start_seconds, end_seconds;	/* since the Epoch */
	uint64_t elapsed_usec, limit_usec;
	uint64_t cpus, node_count, task_count;
	uint64_t requested_bytes;	/* on each node, or of each CPU */
	bool is_of_cpu;			/* requested_bytes of each CPU */
	uint64_t used_usec;		/* CPU time, user and system */
	bool is_use_impossible;		/* left out: its CPUs have not so much */
	double accounted_ratio;		/* of its nodes: record_need.h */
	uint64_t task_rss_bytes;	/* largest sampled RSS of one task */
	/* Of all on the fullest node, see record_need.h. */
	uint64_t need_low_bytes, need_high_bytes;
	/* Of all nodes; SW_MISSING where it is what was requested. */
	uint64_t allocated_bytes;
};

struct sw_acct {
	struct sw_acct_row *rows;	/* the allocation first */
	size_t count;
	size_t skipped;		/* lines that were none of the job's */
};

/* What sacct is asked. */
struct sw_acct_question {
	const char *ids;	/* jobs, "12,13_4" */
	const char *format;	/* its columns */
	bool has_header;	/* their names are the first line */
	bool has_all_runs;	/* also those before a requeue */
	unsigned wait_seconds;	/* at most; 0: 30 */
};

/*
 * What sacct --parsable2 answers, allocated; times are in seconds since the
 * Epoch.  NULL with *error and errno: ENOENT (there is no sacct), ETIMEDOUT,
 * EFBIG, EIO.
 */
char *sw_acct_ask(const struct sw_acct_question *what, struct sw_error *error);

/*
 * Run sacct for the id.  0, or -1 with *error and errno: ENOENT (there is no
 * sacct), ESRCH (it does not know the job), ENOTUNIQ (an array or a
 * heterogeneous job of which no element was named), ETIMEDOUT, EIO.
 */
int sw_acct_query(struct sw_acct *acct, const struct sw_jobid *id,
		  struct sw_error *error);

/* The fields that are asked for. */
void sw_acct_fields(struct sw_record_fields *fields);

/* The same from its output; text is changed. */
int sw_acct_parse(struct sw_acct *acct, char *text, const struct sw_jobid *id,
		  struct sw_error *error);

/*
 * Run sacct for jobs, "12,13_4", with all runs of each; it is waited for no
 * longer than a person waits for a report.  As sw_acct_query(), but that it
 * knows none of them is no failure.
 */
int sw_acct_query_runs(struct sw_acct *acct, const char *ids,
		       struct sw_error *error);
int sw_acct_parse_runs(struct sw_acct *acct, char *text,
		       struct sw_error *error);

/*
 * The allocation of the run of a job that went on at a time (SW_MISSING: of
 * the last run); id.step does not count, a cluster only where both are known.
 * NULL: there is none.
 */
const struct sw_acct_row *sw_acct_find(const struct sw_acct *acct,
				       const struct sw_jobid *id,
				       const char *cluster,
				       uint64_t time_seconds);

/* A step of the same run; NULL. */
const struct sw_acct_row *sw_acct_find_step(const struct sw_acct *acct,
					    const struct sw_acct_row *job,
					    const char *step);

/* Has it ended, as far as Slurm knows? */
bool sw_acct_is_final(const struct sw_acct_row *row);

void sw_acct_fini(struct sw_acct *acct);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The daily summaries of nodes' recorders: a row for each step on each of its
 * nodes.  A step's rows are in the files of all its nodes, so they are
 * gathered, sorted, and added up.
 */
#ifndef SW_ANALYZER_STEP_SUMMARY_H
#define SW_ANALYZER_STEP_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "advice/run.h"
#include "analyzer/summaries/step_rows.h"
#include "common/job_key.h"
#include "common/jobid.h"
#include "common/missing.h"

/* A step on one node.  NAN is "not known"; the texts are those of a table. */
struct sw_step_summary {
	const char *cluster, *name, *node, *step;
	const char *stall_fs, *stall_mount, *failed_program, *failed_cause;
	struct sw_job_key job;
	uint64_t wait_status;
	double start, end;		/* seconds since the Epoch */
	double need_low;		/* without what advice adds to it */
	double need, requested_bytes, requested_cores, used, tasks;
	double peak_cores;
	double oom_kills, input;
	/* Seconds: CPU time (throttled), or wall time (the others). */
	double throttled, cpu_some, memory_full, io_full;
	double read_bytes, written_bytes;
	double gpu_seen, gpu_busy;	/* seconds, summed over its GPUs */
	double stall_idle;	/* seconds, of the file system named below */
	/* Seconds; NAN, all of them. */
	double limited[SW_LIMITED_BY_RESOURCES];
	double disk_rate, net_rate;	/* bytes a second at most */
	bool is_correction;	/* only the status is valid */
};

/* Zeroed: empty. */
struct sw_step_summaries {
	struct sw_step_summary *items;
	size_t count;
	struct sw_texts texts;
};

/* Convert a row to the units of a summary, which points into texts. */
void sw_step_summary_of(struct sw_step_summary *to,
			const struct sw_step_row *row,
			const struct sw_texts *texts);

/*
 * Add the rows of a node's day from path; *unnamed counts rows without a step.
 * Return 0, or -1 (errno ENOMEM).
 */
int sw_step_summaries_add(struct sw_step_summaries *rows,
			  struct sw_reader *reader, const char *path,
			  size_t *unnamed);
void sw_step_summaries_fini(struct sw_step_summaries *rows);

/*
 * Sort by cluster, job, restart, step, node; keep each row once, with the
 * latest status.
 */
void sw_step_summaries_settle(struct sw_step_summaries *rows);

/* Likewise for rows held by the caller; return how many are left. */
size_t sw_step_summaries_order(struct sw_step_summary *rows, size_t count);

/* Compare by cluster, job and restart. */
int sw_step_summary_compare_jobs(const struct sw_step_summary *one,
				 const struct sw_step_summary *two);

/* Number of earlier requeues; 0 if unknown. */
static inline uint64_t sw_step_summary_restarts(
	const struct sw_step_summary *row)
{
	return sw_zero_if_missing(row->job.restart_count);
}

/* Number of leading rows of the same job, or step. */
size_t sw_step_summaries_of_job(const struct sw_step_summary *rows,
				size_t count);
size_t sw_step_summaries_of_step(const struct sw_step_summary *rows,
				 size_t count);

/* Sum the rows of a step over its nodes, or of all steps of a job. */
void sw_step_summaries_sum(struct sw_run *run,
			   const struct sw_step_summary *rows, size_t count);
void sw_step_summaries_sum_job(struct sw_run *run,
			       const struct sw_step_summary *rows,
			       size_t count);

/* need_low of a job on the node that needed most; NAN. */
double sw_step_summaries_need_low(const struct sw_step_summary *rows,
				  size_t count);

#endif

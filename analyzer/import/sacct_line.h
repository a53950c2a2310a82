/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of sacct's by the meaning of its fields, and what it says of a run. */
#ifndef SW_ANALYZER_SACCT_LINE_H
#define SW_ANALYZER_SACCT_LINE_H

#include "advice/run.h"
#include "common/jobid.h"

enum sw_sacct_field {
	SW_SACCT_JOB_ID, SW_SACCT_JOB_NAME, SW_SACCT_USER, SW_SACCT_CLUSTER,
	SW_SACCT_PARTITION, SW_SACCT_COMMENT, SW_SACCT_STATE, SW_SACCT_START,
	SW_SACCT_END, SW_SACCT_ELAPSED, SW_SACCT_ELAPSED_RAW, SW_SACCT_LIMIT,
	SW_SACCT_LIMIT_RAW, SW_SACCT_REQ_MEM, SW_SACCT_REQ_TRES,
	SW_SACCT_ALLOC_TRES, SW_SACCT_MAX_RSS, SW_SACCT_AVE_RSS, SW_SACCT_CPUS,
	SW_SACCT_REQ_CPUS, SW_SACCT_NODES, SW_SACCT_TASKS, SW_SACCT_TOTAL_CPU,
	SW_SACCT_RESTARTS, SW_SACCT_FIELDS,
};

/* A line; texts point into it. */
struct sw_sacct_line {
	const char *field[SW_SACCT_FIELDS];	/* "" where there is none */
	struct sw_jobid id;
	char *text;
};

/* How it ended, how long it took and on what it ran. */
void sw_sacct_put_line(struct sw_run *run, const struct sw_sacct_line *line);

/* What a job asked for; only its own line says that. */
void sw_sacct_put_request(struct sw_run *run,
			  const struct sw_sacct_line *line);

/*
 * The memory of a step: of the tasks that one node has, MaxRSS is the largest
 * one's.  Of several steps the largest.
 */
void sw_sacct_put_need(struct sw_run *run, const struct sw_sacct_line *step);

/* A sample of a short run, and one that hit its limit, are bounds. */
void sw_sacct_bound_need(struct sw_run *run);

#endif

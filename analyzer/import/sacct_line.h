/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of sacct's by the meaning of its fields, and what it says of a run. */
#ifndef SW_ANALYZER_SACCT_LINE_H
#define SW_ANALYZER_SACCT_LINE_H

#include "advice/run.h"
#include "analyzer/sacct/sacct_columns.h"
#include "common/jobid.h"

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

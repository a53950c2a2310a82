/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of a night's summaries, handed out by job as the records are read, in
 * the order of their windows.  Only rows of steps that have started, of jobs
 * that have not ended, are in memory: it does not grow with the night.
 */
#ifndef SW_ANALYZER_NIGHT_ROWS_H
#define SW_ANALYZER_NIGHT_ROWS_H

#include "analyzer/accounting/job_record.h"
#include "analyzer/summaries/step_summary.h"
#include "common/error.h"

/* A recorder starts after Slurm's start of the job, and may end later. */
enum { SW_CLOCKS_DIFFER_SECONDS = 60 };

struct sw_night_rows;

/* For jobs that ended in [from, until).  Return NULL (errno ENOMEM). */
struct sw_night_rows *sw_night_rows_new(uint64_t from_seconds,
					uint64_t until_seconds);
void sw_night_rows_free(struct sw_night_rows *rows);

/*
 * Add the rows of a node's day from path; with only_known, only of jobs with
 * rows added without it.  *unnamed as in sw_step_rows_read().  Return 0, or -1
 * with *error.
 */
int sw_night_rows_add(struct sw_night_rows *rows,
		      const struct sw_reader *reader, const char *path,
		      bool only_known, size_t *unnamed, struct sw_error *error);

/* Start of the earliest step; SW_MISSING if there is none. */
uint64_t sw_night_rows_earliest_usec(const struct sw_night_rows *rows);

/*
 * Find the rows of this run of the job, sorted; *count is 0 if there are none.
 * They are returned once, and valid until the next call.  Return 0, or -1 with
 * *error.
 */
int sw_night_rows_of(struct sw_night_rows *rows,
		     const struct sw_job_record *job,
		     const struct sw_step_summary **found, size_t *count,
		     struct sw_error *error);

/* Count jobs that ended in the time but were never requested.  As above. */
int sw_night_rows_unknown(struct sw_night_rows *rows, uint64_t *jobs,
			  struct sw_error *error);

#endif

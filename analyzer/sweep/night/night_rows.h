/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a night's summaries, handed out job by job as the jobs' records
 * come, in the order of their windows.  What is in memory are rows of steps
 * that had started by then, of jobs that had not ended: it does not grow with
 * the night.
 */
#ifndef SW_ANALYZER_NIGHT_ROWS_H
#define SW_ANALYZER_NIGHT_ROWS_H

#include "analyzer/accounting/job_record.h"
#include "analyzer/summaries/step_summary.h"
#include "common/error.h"

/* A recorder starts after Slurm says that the job did, and may end so. */
enum { SW_CLOCKS_DIFFER_SECONDS = 60 };

struct sw_night_rows;

/* For jobs that ended in [from, until).  NULL (errno ENOMEM). */
struct sw_night_rows *sw_night_rows_new(uint64_t from_seconds,
					uint64_t until_seconds);
void sw_night_rows_free(struct sw_night_rows *rows);

/*
 * The rows of a node's day, which is path's; with only_known those of jobs of
 * which others were added without it.  *unnamed as of sw_step_rows_read().
 * 0, or -1 with *error.
 */
int sw_night_rows_add(struct sw_night_rows *rows,
		      const struct sw_reader *reader, const char *path,
		      bool only_known, size_t *unnamed, struct sw_error *error);

/* When the first step of them started; SW_MISSING: there is none. */
uint64_t sw_night_rows_earliest_usec(const struct sw_night_rows *rows);

/*
 * The rows of this run of the job, in order; *count is 0 where there are none.
 * They are handed out once and are valid until the next call.  0, or -1 with
 * *error.
 */
int sw_night_rows_of(struct sw_night_rows *rows,
		     const struct sw_job_record *job,
		     const struct sw_step_summary **found, size_t *count,
		     struct sw_error *error);

/* Jobs that ended within the time, and were not asked for.  As above. */
int sw_night_rows_unknown(struct sw_night_rows *rows, uint64_t *jobs,
			  struct sw_error *error);

#endif

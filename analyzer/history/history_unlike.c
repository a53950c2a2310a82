/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The past of a run, beside it. */
#include "analyzer/history/history_unlike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/compare/fingerprint_view.h"
#include "analyzer/history/history_internal.h"

/* At most SW_EXPECTED_RUNS of these count: those that succeeded. */
enum { READ_MAX = 2 * SW_EXPECTED_RUNS };

static bool is_whole(const struct sw_job *job)
{
	return !job->is_one_step && !sw_job_is_partial(job) &&
	       (sw_is_missing(job->node_expected) ||
		job->node_count >= job->node_expected);
}

static int compare(struct sw_unlike *unlike, const struct sw_history_run *row)
{
	const struct sw_history_prints *past = &unlike->past;
	const struct sw_fingerprint **prints =
		calloc(past->count + 1, sizeof(*prints));
	size_t count = 0, i;
	int rc = -1;

	for (i = 0; prints && i < past->count; i++) {
		if (!sw_history_is_run(row, past->items[i].job,
				       past->items[i].start_seconds))
			prints[count++] = &past->items[i].print;
	}
	if (prints)
		rc = sw_compare_run(&unlike->comparison, &unlike->own, prints,
				    count);
	free(prints);
	return rc;
}

static size_t count_views(const struct sw_job *job)
{
	size_t count = 0, i;

	for (i = 0; i < job->step_count; i++)
		count += job->steps[i].node_count;
	return count;
}

void sw_fingerprint_of_job(struct sw_fingerprint *print,
			   const struct sw_job *job, enum sw_run_state state)
{
	sw_fingerprint_of_sum(print, &job->total, job->views, count_views(job),
			      state, NULL);
}

int sw_unlike_past(struct sw_unlike *unlike, struct sw_history *history,
		   const struct sw_history_run *row, const struct sw_job *job,
		   struct sw_error *error)
{
	const double end = row->run.end_seconds;

	memset(unlike, 0, sizeof(*unlike));
	unlike->is_whole = is_whole(job);
	sw_fingerprint_of_job(&unlike->own, job, row->run.state);
	if (!unlike->is_whole)
		return 0;
	if (sw_history_prints(history, row->group, isnan(end) ? INFINITY : end,
			      READ_MAX, &unlike->past, error) < 0)
		return -1;
	return compare(unlike, row) < 0
		       ? sw_error_errno(error, "the runs before")
		       : 0;
}

void sw_unlike_fini(struct sw_unlike *unlike)
{
	sw_comparison_fini(&unlike->comparison);
	sw_history_prints_fini(&unlike->past);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compare a recorded run with its past in the history. */
#ifndef SW_ANALYZER_HISTORY_UNLIKE_H
#define SW_ANALYZER_HISTORY_UNLIKE_H

#include "analyzer/compare/compare.h"
#include "analyzer/history/history_prints.h"
#include "analyzer/job/job.h"

struct sw_unlike {
	/* All of its nodes and steps are known; otherwise nothing is compared. */
	bool is_whole;
	struct sw_fingerprint own;
	struct sw_history_prints past;
	struct sw_comparison comparison;
};

/* Fill in the fingerprint of a whole job, without findings. */
void sw_fingerprint_of_job(struct sw_fingerprint *print,
			   const struct sw_job *job, enum sw_run_state state);

/*
 * Compare a whole job, of which row is the row of the history, with the runs of
 * its group that ended before.  Return 0, or -1 with *error; free with
 * sw_unlike_fini() in both cases.
 */
int sw_unlike_past(struct sw_unlike *unlike, struct sw_history *history,
		   const struct sw_history_run *row, const struct sw_job *job,
		   struct sw_error *error);
void sw_unlike_fini(struct sw_unlike *unlike);

#endif

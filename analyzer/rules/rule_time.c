/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Share of the time limit that a run used. */
#include "analyzer/rules/rule_time.h"

#include <stddef.h>

#include "analyzer/job/job_record.h"
#include "common/units.h"

uint64_t sw_time_limit_usec(const struct sw_view *view)
{
	const struct sw_job_record *job = view->slurm.job_record;

	if (sw_is_missing(view->requested_time_usec) && job)
		return sw_usec_of_seconds(job->limit_seconds);
	return view->requested_time_usec;
}

const char *sw_time_use_unknown(const struct sw_view *view)
{
	uint64_t limit = sw_time_limit_usec(view);

	if (sw_is_missing(limit) || limit == 0 ||
	    sw_is_missing(view->elapsed_usec))
		return "the time limit is not known";
	if (view->state != SW_STATE_COMPLETED || sw_record_has_failed(view) ||
	    sw_view_is_past_limit(view))
		return "the run did not finish by itself, so the time that it "
		       "needs is not known";
	return NULL;
}

bool sw_time_use_find(struct sw_time_use *use, const struct sw_view *view)
{
	const struct sw_job_record *job = view->slurm.job_record;

	if (sw_time_use_unknown(view))
		return false;
	use->limit_usec = sw_time_limit_usec(view);
	use->used_usec = view->elapsed_usec;
	/* Slurm counts time before the first step and after the last. */
	if (job)
		use->used_usec = sw_max_u64(use->used_usec, sw_usec_of_seconds(
						    job->elapsed_seconds));
	use->ratio = sw_ratio_u64(use->used_usec, use->limit_usec);
	return true;
}

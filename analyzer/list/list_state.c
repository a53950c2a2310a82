/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a job or step in "stepwell list". */
#include "analyzer/list/list_state.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/report/words.h"

char *sw_list_short_state(char *buf, size_t size, const struct sw_view *view)
{
	static const char *const words[] = {
		[SW_STATE_UNKNOWN] = NULL,
		[SW_STATE_COMPLETED] = "ok",
		[SW_STATE_FAILED] = "failed",
		[SW_STATE_KILLED] = "killed",
		[SW_STATE_INTERRUPTED] = "interrupted",
	};

	enum sw_job_state state = sw_record_state(view);

	if (state == SW_JOB_COMPLETED)
		snprintf(buf, size, "ok");
	else if (state == SW_JOB_FAILED)
		snprintf(buf, size, "failed");
	else if (state)
		snprintf(buf, size, "%s", sw_job_state_name(state));
	else
		snprintf(buf, size, "%s", words[view->state] ?
			 words[view->state] : sw_unfinished_word(view));
	return buf;
}

void sw_list_state(char *buf, size_t size, const struct sw_view *view)
{
	if (view->slurm.is_slurm && !view->slurm.record &&
	    view->state != SW_STATE_UNKNOWN)
		sw_end_words(buf, size, view);
	else
		sw_list_short_state(buf, size, view);
}

const char *sw_list_state_source(const struct sw_view *view)
{
	return view->slurm.record ? "sacct" : "exit_status";
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oom.killed: the step failed after an OOM kill. */
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/rules/rule_oom.h"

/* Of the step or of its job. */
static bool slurm_says(const struct sw_view *view, enum sw_job_state state)
{
	return sw_record_job_says(view, state) ||
	       sw_record_state(view) == state;
}

static const char *consequence(const struct sw_view *view)
{
	if (slurm_says(view, SW_JOB_OUT_OF_MEMORY))
		return "Slurm's record says OUT_OF_MEMORY. How much it needs "
		       "is not known, only that it is more than this: request "
		       "at least half as much again.";
	return view->state == SW_STATE_UNKNOWN ?
		"How the step ended was not seen. How much it needs is not "
		"known, only that it is more than this: request at least half "
		"as much again." :
		"The step did not succeed. How much it needs is not known, "
		"only that it is more than this: request at least half as much "
		"again.";
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	(void)setting;
	if (!sw_oom_happened(view) || sw_oom_is_silent(view))
		return 0;
	return sw_oom_report(view, "oom.killed", consequence(view), findings);
}

const struct sw_rule sw_rule_oom_killed = {
	.id = "oom.killed",
	.title = "Out of memory",
	.kind = SW_FINDING_FAILURE,
	.basis = SW_BASIS_RECORD,
	.meaning =
	"The step ran out of memory: its cgroup, or an ancestor, was at its "
	"limit, nothing could be reclaimed, and the kernel killed one of its "
	"processes. The step then failed, or Slurm recorded the job as "
	"OUT_OF_MEMORY.",
	.what_to_do =
	"Request more memory. The peak seen is a lower bound: a killed run "
	"never reached its need.",
	.computed =
	"From the growth of oom_kill in the step's memory.events, or from the "
	"exit records of its programs where they carry the kernel's mark of an "
	"OOM victim. Without that mark, programs that died of SIGKILL within a "
	"second of a kill in a cgroup that they share with others count as "
	"probably killed. Where exits cannot be seen, the largest program that "
	"died at the time of the kill is named as probably killed. In a step "
	"of several tasks, those whose own cgroup counted a kill are named.",
	.needs = { { "series.memory", "events.oom_kill" },
		   { "programs", "oom_killed" }, { "programs", "killed" } },
	.is_any_need = true,
	.blind_to = sw_oom_unseen,
	.eval = eval,
};

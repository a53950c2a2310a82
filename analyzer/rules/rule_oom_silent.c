/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oom.silent: the kernel OOM-killed a process, but the exit status is 0. */
#include <stdio.h>

#include "analyzer/job/job_record.h"
#include "analyzer/rules/rule_oom.h"

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	char text[256];

	(void)setting;
	if (!sw_oom_happened(view) || !sw_oom_is_silent(view))
		return 0;
	snprintf(text, sizeof(text), "%s: the output may be incomplete. Check "
		 "it, and run again with more memory.",
		 sw_record_silence(view));
	return sw_oom_report(view, "oom.silent", text, findings);
}

const struct sw_rule sw_rule_oom_silent = {
	.id = "oom.silent",
	.title = "Killed by the OOM killer, yet exit status 0",
	.kind = SW_FINDING_RESULT,
	.basis = SW_BASIS_RECORD,
	.meaning =
	"A process inside the step was killed because memory ran out, and the "
	"step still ended with exit status 0, as a script without \"set -e\" "
	"or a program that ignores its children does. Schedulers and workflow "
	"engines trust the exit status and count a success: incomplete results "
	"look complete. If Slurm's record was read and shows OUT_OF_MEMORY, "
	"the finding is oom.killed instead.",
	.what_to_do =
	"Check the output, request more memory, and make the script fail when "
	"one of its commands fails (set -euo pipefail).",
	.computed =
	"From the growth of oom_kill in the step's memory.events, or from the "
	"exit records of its programs, together with the step's exit status. "
	"Without the kernel's mark of an OOM victim, programs that died of "
	"SIGKILL within a second of a kill in a cgroup that they share with "
	"others count as probably killed. Where exits cannot be seen, the "
	"largest program that died at the time of the kill is named as "
	"probably killed. In a step of several tasks, those whose own cgroup "
	"counted a kill are named.",
	.needs = { { "series.memory", "events.oom_kill" },
		   { "programs", "oom_killed" }, { "programs", "killed" } },
	.is_any_need = true,
	.blind_to = sw_oom_unseen,
	.eval = eval,
};

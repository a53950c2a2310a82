/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.idle_tail: the step held its resources after its work was done. */
#include "analyzer/rules/rule_idle.h"

static const struct sw_idle_rule rule = {
	"cpu.idle_tail", SW_IDLE_TAIL, "For the last",
	"the last",
	"End the job when its work is done: look for a sleep, a server "
	"or a helper that is left running.",
	"The step did not succeed. If its work was done, look for a sleep, a "
	"server or a helper that was left running; otherwise, find out what it "
	"waited for.",
};

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	return sw_idle_eval(&rule, view, setting, findings);
}

const struct sw_rule sw_rule_cpu_idle_tail = {
	.id = "cpu.idle_tail",
	.title = "Idle at the end",
	.kind = SW_FINDING_WASTE,
	.meaning =
	"The step did nothing more, and still held its CPUs and memory: it "
	"had done its work, or waited for what did not come.",
	.what_to_do =
	"End the script with the last program that works, and end servers and "
	"helpers that it has started.",
	.computed =
	"Computed from the phases of the run: parts in which one resource "
	"limited the step for most of the time, by samples of what threads "
	"wait for and by CPU time. A last phase in which nothing of the step "
	"ran for at least half of the time, and did not wait for I/O, memory "
	"or a CPU, counts if that time takes min_idle_ratio of the run and "
	"min_idle_seconds, and the phase holds two intervals between samples "
	"or more. A program that wakes up now and then does not end such a "
	"phase. One that was stopped by a signal has not done its work, and "
	"is progress.waiting. A standstill of minutes is progress.frozen "
	"instead. The finding names who waited for what if the recorder "
	"sampled it, which it does after 10 s without CPU time.",
	.needs = { { "series.waits", "idle_usec" } },
	.settings = SW_IDLE_SETTINGS,
	.yields_to = sw_idle_causes,
	.eval = eval,
};

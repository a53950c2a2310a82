/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.idle_tail: the step held its resources after its work was done. */
#include "analyzer/rules/rule_idle.h"

static const struct sw_idle_rule rule = {
	"cpu.idle_tail", SW_IDLE_TAIL, "for the last",
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
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step did nothing more but still held its CPUs and memory: its "
	"work was done, or it waited for something that did not come.",
	.what_to_do =
	"End the script with the last program that does work, and stop servers "
	"and helpers that the script started.",
	.computed =
	"From the phases of the run: parts in which one resource limited the "
	"step for most of the time, by samples of what threads wait for and by "
	"CPU time. The last phase counts if no thread of the step ran, or "
	"waited for I/O, memory or a CPU, for at least half of it. It is "
	"reported when that idle time reaches min_lost_ratio and "
	"min_lost_seconds, and the phase spans at least two sampling "
	"intervals. A program that wakes up now and then does not end such a "
	"phase. A step that a signal ended had not finished its work; it is "
	"reported as progress.waiting, and a standstill of minutes as "
	"progress.frozen. The finding names the waiting process and what it "
	"waited for if the recorder sampled that, which it does after 10 s "
	"without CPU time.",
	.needs = { { "series.waits", "idle_usec" } },
	.settings = { SW_WORTH_SETTINGS },
	.yields_to = sw_idle_causes,
	.eval = eval,
};

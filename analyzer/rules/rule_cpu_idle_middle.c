/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.idle_middle: the step stopped working and continued later. */
#include <stddef.h>

#include "analyzer/rules/rule_idle.h"

static const struct sw_idle_rule rule = {
	"cpu.idle_middle", SW_IDLE_MIDDLE, "in the middle, for",
	"a middle part of",
	"Split the work into jobs, with a dependency between them, or "
	"shorten what it waits for.",
	NULL,
};

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	return sw_idle_eval(&rule, view, setting, findings);
}

const struct sw_rule sw_rule_cpu_idle_middle = {
	.id = "cpu.idle_middle",
	.title = "Idle in between",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step worked, did nothing for a while, and then continued. It held "
	"its CPUs and memory in between.",
	.what_to_do =
	"Find out what it waits for. If that is another job or a person, split "
	"the work into two jobs with a dependency.",
	.computed =
	"From the phases of the run: parts in which one resource limited the "
	"step for most of the time, by samples of what threads wait for and by "
	"CPU time. The longest phase between two others counts if no thread of "
	"the step ran, or waited for I/O, memory or a CPU, for at least half "
	"of it. It is reported when that idle time reaches min_lost_ratio and "
	"min_lost_seconds, and the phase spans at least two sampling "
	"intervals. A program that wakes up now and then does not end such a "
	"phase. A standstill of minutes is reported as progress.frozen instead.",
	.needs = { { "series.waits", "idle_usec" } },
	.settings = { SW_WORTH_SETTINGS },
	.yields_to = sw_idle_causes,
	.eval = eval,
};

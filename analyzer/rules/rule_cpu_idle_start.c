/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.idle_start: the step waited before it worked. */
#include <stddef.h>

#include "analyzer/rules/rule_idle.h"

static const struct sw_idle_rule rule = {
	"cpu.idle_start", SW_IDLE_START, "for the first",
	"the first",
	"Have what it waits for ready before the job starts (sbatch "
	"--dependency, --begin), or wait in a job of one CPU.",
	NULL,
};

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	return sw_idle_eval(&rule, view, setting, findings);
}

const struct sw_rule sw_rule_cpu_idle_start = {
	.id = "cpu.idle_start",
	.title = "Idle at the start",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step held its CPUs and memory for a while before it did anything "
	"with them.",
	.what_to_do =
	"Submit the job with a dependency on what it waits for, or stage its "
	"input in a small job before it.",
	.computed =
	"From the phases of the run: parts in which one resource limited the "
	"step for most of the time, by samples of what threads wait for and by "
	"CPU time. The first phase counts if no thread of the step ran, or "
	"waited for I/O, memory or a CPU, for at least half of it. It is "
	"reported when that idle time reaches min_lost_ratio and "
	"min_lost_seconds, and the phase spans at least two sampling "
	"intervals. A program that wakes up now and then does not end such a "
	"phase. A standstill of minutes is reported as progress.frozen instead.",
	.needs = { { "series.waits", "idle_usec" } },
	.settings = { SW_WORTH_SETTINGS },
	.yields_to = sw_idle_causes,
	.eval = eval,
};

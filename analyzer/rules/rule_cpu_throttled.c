/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.throttled: a CPU quota limited the step. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "common/units.h"

enum { MIN_THROTTLED_RATIO };

/* Name the number of runnable threads, not how many the quota let run. */
static const char *remedy_words(char *buf, size_t size,
				const struct sw_view_cpu *cpu)
{
	if (isnan(cpu->demand_peak_cores))
		return "or run fewer threads";
	snprintf(buf, size, "or run fewer threads: it had work for up to %.1f "
		 "CPUs at once", cpu->demand_peak_cores);
	return buf;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_cpu *cpu = &view->cpu;
	char text[SW_UNITS_TEXT_SIZE], remedy[96];
	struct sw_finding *finding;
	struct sw_evidence share;
	double ratio;

	if (sw_is_missing(cpu->throttled_periods) ||
	    sw_is_missing(cpu->periods) || cpu->periods == 0)
		return 0;
	ratio = (double)cpu->throttled_periods / (double)cpu->periods;
	if (cpu->throttled_periods == 0 ||
	    ratio < setting[MIN_THROTTLED_RATIO])
		return 0;
	share = (struct sw_evidence){
		"cpu.stat nr_throttled / nr_periods", ratio, "ratio",
		setting[MIN_THROTTLED_RATIO], SW_MISSING,
	};
	finding = sw_finding_add(findings, "cpu.throttled", SW_WARNING, 0.95,
				 &share);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	sw_duration_format(text, sizeof(text), cpu->throttled_usec);
	sw_finding_sentence(finding,
		"%s in %.0f %% of the quota's periods, %s summed over the "
		"CPUs, although there was work to do. Request more CPUs, %s.",
		cpu->is_quota_above ?
			"The CPU quota of a cgroup above the step's own "
			"stopped everything in it" :
			"The step's CPU quota stopped it",
		ratio * 100, text,
		remedy_words(remedy, sizeof(remedy), cpu));
	return 0;
}

const struct sw_rule sw_rule_cpu_throttled = {
	.id = "cpu.throttled",
	.title = "Held back by a CPU quota",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_COUNTERS,
	.meaning =
	"A CPU quota (cgroup cpu.max) grants a step a fixed amount of CPU time "
	"per period, usually 100 ms. When it is used up, every thread stops "
	"until the next period. The step was not waiting for a CPU or for I/O, "
	"and was not idle.",
	.what_to_do =
	"Request as many CPUs as the program runs threads, or run fewer "
	"threads.",
	.computed =
	"From cpu.stat: nr_throttled over nr_periods, the share of periods in "
	"which the quota ran out; reported from min_throttled_ratio on. "
	"throttled_usec is the time lost, summed over the CPUs. The kernel "
	"counts where the quota is set: for a container or a service the "
	"values are those of the nearest ancestor cgroup with a quota, and "
	"processes outside the step may have been stopped with it.",
	.needs = { { "series.cpu", "nr_throttled" },
		   { "series.cpu", "ancestor.nr_throttled" } },
	.is_any_need = true,
	.settings = {
		{ "min_throttled_ratio", 0.05, 0, 1,
		  "share of periods in which the quota ran out" },
	},
	.eval = eval,
};

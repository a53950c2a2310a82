/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.single_threaded: only one of several CPUs was busy at a time. */
#include <math.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_serial.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/shares.h"
#include "analyzer/view/view_demand.h"
#include "common/units.h"

enum { MIN_SERIAL_RATIO, MIN_ELAPSED_SECONDS };

static const char *const causes[] = { "lock.contended", "cpu.imbalance",
				      "cpu.slow_stage", NULL };

static const char *blind_to(const struct sw_view *view)
{
	return view->cpu.allocated_cores >= 2 ? sw_serial_blind_to(view) : NULL;
}

/*
 * A short burst of demand hides the waste from cpu.over_allocated, which has
 * this threshold by default.
 */
static bool has_hidden_waste(const struct sw_view *view)
{
	const struct sw_view_cpu *cpu = &view->cpu;

	return cpu->is_requested &&
	       !(sw_view_useful_cpus(cpu->demand_peak_cores) <=
		 SW_USEFUL_RATIO * cpu->allocated_cores);
}

static int tell(const struct sw_view *view, double share, double threshold,
		struct sw_findings *findings)
{
	bool is_waste = has_hidden_waste(view);
	double cpus = view->cpu.allocated_cores;
	struct sw_evidence serial = { "time with one CPU wanted / elapsed",
				      share, "ratio", threshold, SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "cpu.single_threaded",
				 is_waste ? SW_WARNING : SW_INFO,
				 0.9, &serial);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"peak_cores", view->cpu.peak_cores, "cores", NAN,
		SW_MISSING });
	sw_finding_subject(finding, "step");
	if (is_waste)
		finding->wasted_core_hours = (cpus - 1) * share *
			(double)view->elapsed_usec / SW_USEC_PER_SEC / 3600;
	sw_finding_sentence(finding,
		"For %.0f %% of the time the step kept only one of its %.4g "
		"CPUs busy: it ran one thread, or its threads took turns. If "
		"the program has an option for more threads (-t, -j, "
		"--threads, OMP_NUM_THREADS), set it; otherwise more than one "
		"CPU does not make it faster.", share * 100, cpus);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	double share, on_cpu;

	if (sw_view_is_shorter(view, setting[MIN_ELAPSED_SECONDS]) ||
	    !(view->cpu.allocated_cores >= 2) || sw_serial_blind_to(view))
		return 0;
	share = sw_serial_measure(view).serial_seconds * SW_USEC_PER_SEC /
		(double)view->elapsed_usec;
	on_cpu = sw_limits_ratio(&view->limits, SW_LIMITED_BY_CPU) +
		 sw_limits_ratio(&view->limits, SW_LIMITED_BY_NODE) +
		 sw_limit_ratio(&view->limits, SW_LIMIT_TURNS);
	/* Two threads that each run half of the time look like one. */
	if (!(share >= setting[MIN_SERIAL_RATIO]) ||
	    !(on_cpu >= share - SW_SOME))
		return 0;
	return tell(view, share, setting[MIN_SERIAL_RATIO], findings);
}

const struct sw_rule sw_rule_cpu_single_threaded = {
	.id = "cpu.single_threaded",
	.title = "One thread on several CPUs",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step had several CPUs but kept only one of them busy, nearly all "
	"of the time. Its program has one thread, was started with one, or has "
	"threads that take turns under a lock, as Python's do.",
	.what_to_do =
	"Tell the program how many threads to use, process several inputs at a "
	"time, or request one CPU.",
	.computed =
	"From CPU time and run-queue waits between samples: an interval counts "
	"when the step used or waited for 0.8 to 1.1 CPUs (run_delay, "
	"Documentation/scheduler/sched-stats.rst). Reported when these "
	"intervals take min_serial_ratio of the elapsed time, the step ran for "
	"min_elapsed_seconds, had at least two CPUs, and was seldom idle: two "
	"threads that each run half of the time do not count. Not evaluated "
	"where other programs had its CPUs for a third of the time. "
	"Informational where cpu.over_allocated reports the waste, and a "
	"warning where a short burst on more than three quarters of the CPUs "
	"hides it from that rule. Example: gzip on 8 CPUs keeps one busy for "
	"99 % of the time; pigz -p 8 would use all.",
	.needs = { { "series.cpu", "usage_usec" },
		   { "series.proc", "utime_usec" } },
	.is_any_need = true,
	.is_of_request = true,
	.settings = {
		{ "min_serial_ratio", 0.9, 0.1, 1,
		  "smallest share of the time with work for one CPU" },
		{ "min_elapsed_seconds", 5, 0, 86400,
		  "shorter steps are not evaluated" },
	},
	.yields_to = causes,
	.eval = eval,
	.blind_to = blind_to,
};

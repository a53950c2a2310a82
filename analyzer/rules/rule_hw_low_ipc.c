/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hw.low_ipc: the processors were busy but mostly stalled. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "common/units.h"

enum { MAX_IPC, MIN_CPU_SECONDS, MIN_COUNTED_RATIO, MIN_LLC_MISSES };

/* Advise by cache misses. */
static const char *advice(double misses, double enough)
{
	if (isnan(misses))
		return "The cause was not counted: it may be memory, or "
		       "threads that spin while they wait for others.";
	if (misses >= enough)
		return "It waited for memory: more CPUs that share it will "
		       "help little. Check the layout of the data and the "
		       "order of access, or spread the tasks over more sockets "
		       "or nodes.";
	return "Memory was not the cause: spinning while waiting for other "
	       "threads or ranks, long chains of dependent operations, or "
	       "mispredicted branches can be.";
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_counters *counters = &view->counters;
	double ipc = sw_counters_ipc(counters);
	double misses = sw_counters_llc_rate(counters);
	char cache[96] = "", used[SW_UNITS_TEXT_SIZE];
	struct sw_finding *finding;
	struct sw_evidence evidence;

	if (isnan(ipc) || ipc > setting[MAX_IPC] ||
	    sw_is_missing(counters->hw_usec) ||
	    (double)counters->hw_usec / SW_USEC_PER_SEC <
		    setting[MIN_CPU_SECONDS] ||
	    sw_counters_share(counters) < setting[MIN_COUNTED_RATIO])
		return 0;
	evidence = (struct sw_evidence){
		"instructions / cycles", ipc, "ratio", setting[MAX_IPC],
		SW_MISSING,
	};
	finding = sw_finding_add(findings, "hw.low_ipc", SW_INFO, 0.7,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	if (!isnan(misses))
		snprintf(cache, sizeof(cache),
			 " and had %.1f last-level cache misses per 1000 "
			 "instructions", misses);
	sw_finding_sentence(finding,
		"The programs completed %.2f instructions per cycle in %s of "
		"CPU time%s; processors can do 4 and more. %s", ipc,
		sw_duration_format(used, sizeof(used), counters->hw_usec),
		cache, advice(misses, setting[MIN_LLC_MISSES]));
	return 0;
}

/* Little of the CPU time was covered by counters: no finding means little. */
static const char *blind_to(const struct sw_view *view)
{
	const struct sw_view_counters *counters = &view->counters;

	if (!sw_is_missing(view->cpu.used_usec) &&
	    !sw_is_missing(counters->hw_usec) &&
	    counters->hw_usec < view->cpu.used_usec / 2)
		return "the hardware counters covered less than half of the "
		       "CPU time";
	return NULL;
}

static const char *const causes[] = { "hw.memory_bandwidth", NULL };

const struct sw_rule sw_rule_hw_low_ipc = {
	.id = "hw.low_ipc",
	.title = "Busy processors that mostly waited",
	.kind = SW_FINDING_HINT,
	.basis = SW_BASIS_COUNTERS,
	.meaning =
	"A processor that waits for data from memory counts as busy in CPU "
	"time. The number of instructions completed per cycle shows the "
	"difference: current processors can do 4 and more, good numerical code "
	"does 1 to 3.",
	.what_to_do =
	"Find the place in the code with a profiler (perf, VTune, LIKWID); "
	"change the data layout or the order of access; use fewer CPUs per "
	"socket if memory is the limit.",
	.computed =
	"From hardware counters in user mode: instructions over cycles, over "
	"all tasks. Reported at max_ipc or less, if min_cpu_seconds of CPU "
	"time were counted, at least min_counted_ratio of it directly and the "
	"rest extrapolated from multiplexing. The threshold is half of the "
	"value often taken as the border to waiting for memory (one "
	"instruction per cycle: B. Gregg, CPU Utilization is Wrong, 2017; "
	"Intel VTune's CPI rate), so that it is hardly ever wrong about the "
	"waiting. From min_llc_misses_per_1000 last-level cache misses per "
	"1000 instructions on, memory is named as the cause.",
	.needs = {
		{ "series.pmu", "instructions" },
		{ "series.pmu", "cycles" },
	},
	.settings = {
		{ "max_ipc", 0.5, 0, 10, "instructions per cycle" },
		{ "min_cpu_seconds", 10, 0, 1e9,
		  "less CPU time is not evaluated" },
		{ "min_counted_ratio", 0.05, 0, 1,
		  "share of the time that was counted directly" },
		{ "min_llc_misses_per_1000", 5, 0, 1000,
		  "last-level cache misses per 1000 instructions from which on "
		  "memory is the cause" },
	},
	.yields_to = causes,
	.eval = eval,
	.blind_to = blind_to,
};

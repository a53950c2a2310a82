/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hw.memory_bandwidth: the step read as fast as the node's memory allows. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "common/units.h"

enum { NODE_BANDWIDTH, MIN_SHARE, MIN_CPU_SECONDS, MIN_COUNTED_RATIO };

/* Return a lower bound of the read rate in bytes per second; NAN if unknown. */
static double read_rate(const struct sw_view *view)
{
	const struct sw_view_counters *counters = &view->counters;

	return sw_real_u64(counters->llc_misses) *
	       SW_CACHE_LINE_BYTES /
	       (sw_real_u64(view->elapsed_usec) / SW_USEC_PER_SEC);
}

static bool is_counted(const struct sw_view_counters *counters,
		       const double *setting)
{
	return sw_real_u64(counters->hw_usec) / SW_USEC_PER_SEC >=
		       setting[MIN_CPU_SECONDS] &&
	       sw_counters_share(counters) >= setting[MIN_COUNTED_RATIO];
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	double limit = setting[NODE_BANDWIDTH] * 1e9, rate = read_rate(view);
	struct sw_finding *finding;
	struct sw_evidence evidence;

	if (isnan(rate) || rate < setting[MIN_SHARE] * limit ||
	    !is_counted(&view->counters, setting))
		return 0;
	evidence = (struct sw_evidence){
		"llc_misses * 64 / elapsed", rate,	 "bytes/s",
		setting[MIN_SHARE] * limit, SW_MISSING,
	};
	finding = sw_finding_add(findings, "hw.memory_bandwidth", SW_INFO, 0.8,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	sw_finding_sentence(finding,
		"It read at least %.0f GB/s from memory on average, and the "
		"node can give %.0f GB/s: more CPUs on this node would share "
		"the same memory and help little. Spread the tasks over more "
		"nodes, or use each value more often while it is in the cache.",
		rate / 1e9, limit / 1e9);
	return 0;
}

const struct sw_rule sw_rule_hw_memory_bandwidth = {
	.id = "hw.memory_bandwidth",
	.title = "Memory as fast as it can be",
	.kind = SW_FINDING_HINT,
	.basis = SW_BASIS_COUNTERS,
	.meaning =
	"All CPUs of a node share its memory bandwidth. A program that reads "
	"more than its caches hold can use all of it with some of the CPUs; "
	"the other CPUs then only add requests.",
	.what_to_do =
	"Request more nodes with fewer tasks on each; let threads share data "
	"that is in the cache (blocking, smaller types).",
	.computed =
	"From hardware counters: last-level cache misses of all tasks on the "
	"node, a line of 64 bytes each, per second of the run. Reported from "
	"min_share of node_gb_per_sec on, if min_cpu_seconds of CPU time were "
	"counted, at least min_counted_ratio of it directly. Prefetched data "
	"and writes are not among the misses, so the true traffic is larger; "
	"the threshold is below the share of the peak that STREAM reaches (J. "
	"McCalpin, 1995). The site sets what a node can deliver, as measured "
	"by STREAM's triad on all CPUs: without node_gb_per_sec the rule is "
	"not evaluated. The report shows it, and node_gflop_per_sec, beside "
	"what the step computed and read.",
	.needs = {
		{ "series.pmu", "llc_misses" },
	},
	.settings = {
		{ "node_gb_per_sec", 0, 0, 1e6,
		  "what the memory of a node can give, in GB/s; 0: not known",
		  .is_of_site = true },
		{ "min_share", 0.6, 0, 1,
		  "share of node_gb_per_sec that was read at least" },
		{ "min_cpu_seconds", 10, 0, 1e9,
		  "less CPU time is not evaluated" },
		{ "min_counted_ratio", 0.05, 0, 1,
		  "share of the time that was counted directly" },
		{ "node_gflop_per_sec", 0, 0, 1e9,
		  "what the CPUs of a node can compute, in GFLOP/s, for the "
		  "report to show beside a step's; 0: not known" },
	},
	.eval = eval,
};

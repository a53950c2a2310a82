/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.oversubscribed: more threads ran than the step had CPUs. */
#include <math.h>

#include "analyzer/rules/rule.h"
#include "analyzer/view/bottleneck.h"
#include "common/units.h"

enum { MIN_THREADS_RATIO, MIN_BUSY_RATIO, MIN_ELAPSED_SECONDS };

/* Threads that ran or could have run, on average, while the CPU was the limit. */
static double runnable(const struct sw_view *view, double share)
{
	return (double)sw_sum_u64(view->cpu.used_usec,
				  view->cpu.run_queue_wait_usec) /
	       ((double)view->elapsed_usec * share);
}

static int tell(const struct sw_view *view, double threads, double cpus,
		double threshold, struct sw_findings *findings)
{
	struct sw_evidence evidence = { "runnable threads / CPUs",
					threads / cpus, "ratio", threshold,
					SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "cpu.oversubscribed", SW_WARNING,
				 0.8, &evidence);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"run_queue_wait", (double)view->cpu.run_queue_wait_usec /
		SW_USEC_PER_SEC, "seconds", NAN, SW_MISSING });
	sw_finding_subject(finding, "step");
	sw_finding_sentence(finding,
		"On average %.1f threads of the step wanted to run on its "
		"%.4g CPU%s, all of which were busy: its threads waited %s "
		"for each other. Start as many threads as there are CPUs (-t, "
		"-j, --threads, OMP_NUM_THREADS), or request more CPUs.",
		threads, cpus, cpus > 1 ? "s" : "",
		sw_duration_text(view->cpu.run_queue_wait_usec).s);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	double share = sw_limits_ratio(&view->limits, "cpu");
	double cpus = fmin(view->cpu.allocated_cores,
			   sw_real_u64(view->node_cpus));
	double threads;

	if (sw_is_missing(view->elapsed_usec) || isnan(cpus) ||
	    !(share >= 0.5) || sw_limits_are_of_others(&view->limits) ||
	    view->elapsed_usec <
		    setting[MIN_ELAPSED_SECONDS] * SW_USEC_PER_SEC ||
	    sw_is_missing(view->cpu.run_queue_wait_usec))
		return 0;
	threads = runnable(view, share);
	/* Where its CPUs are not busy, others have them. */
	if (view->cpu.mean_cores / share < setting[MIN_BUSY_RATIO] * cpus ||
	    threads < setting[MIN_THREADS_RATIO] * cpus)
		return 0;
	return tell(view, threads, cpus, setting[MIN_THREADS_RATIO], findings);
}

const struct sw_rule sw_rule_cpu_oversubscribed = {
	.id = "cpu.oversubscribed",
	.title = "More threads than CPUs",
	.kind = SW_FINDING_STALL,
	.explain =
	"The step ran more threads than it had CPUs. They take turns, which "
	"costs caches, and makes threads that wait for each other (OpenMP, "
	"MPI) wait for whole time slices.\n\n"
	"Computed from CPU time and run_delay of the kernel's sched_info: "
	"their sum over the time in which the CPU limited the step is the "
	"number of threads that wanted to run. It fires when that is "
	"min_threads_ratio of the CPUs requested (or of the node's, if these "
	"are fewer), these were busy for min_busy_ratio, and the step ran for "
	"min_elapsed_seconds. Where its CPUs were not busy, others used them, "
	"which is cpu.starved. Where others had them for a fifth of the run, "
	"it is not known which threads its own waited for.\n\n"
	"What to do: start as many threads as there are CPUs. Programs that "
	"count the CPUs of the node do not see the request: set "
	"OMP_NUM_THREADS, -t or --threads from $SLURM_CPUS_PER_TASK; and a "
	"library with threads below a program with threads multiplies them.",
	.needs = { { "series.proc", "run_queue_wait_usec" } },
	.settings = {
		{ "min_threads_ratio", 2, 1, 1000,
		  "runnable threads for each CPU" },
		{ "min_busy_ratio", 0.85, 0, 1,
		  "share of its CPUs that has to be busy" },
		{ "min_elapsed_seconds", 5, 0, 86400,
		  "shorter steps are not evaluated" },
	},
	.eval = eval,
};

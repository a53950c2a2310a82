/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.over_allocated: CPUs that were requested and never used. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "analyzer/view/shares.h"
#include "analyzer/view/view_demand.h"
#include "common/units.h"

enum { MIN_ELAPSED_SECONDS, MAX_USED_RATIO };

static const char *const causes[] = { "cpu.slow_stage", NULL };

/*
 * --cpus-per-task applies to one task.  For a job with one CPU per task, name
 * the option for the number of tasks instead.
 */
static void option_of(char *buf, size_t size, const struct sw_view *view,
		      double useful)
{
	uint64_t tasks = view->slurm.node_task_count;
	uint64_t requested = view->slurm.job_task_count;

	if (!sw_is_missing(requested) && requested > 1)
		tasks = requested;
	if (requested > 1 && (double)requested == view->cpu.allocated_cores)
		snprintf(buf, size, "--ntasks=%.0f", useful);
	else if (view->slurm.is_slurm && (sw_is_missing(tasks) || tasks > 1))
		snprintf(buf, size, "%.0f CPU%s on each node", useful,
			 useful > 1 ? "s" : "");
	else
		snprintf(buf, size, "--cpus-per-task=%.0f", useful);
}

/* Format the demand beyond the peak use; "" if it is nearly the same. */
static const char *demand_words(char *buf, size_t size,
				const struct sw_view_cpu *cpu)
{
	buf[0] = '\0';
	if (cpu->demand_peak_cores >= cpu->peak_cores + 0.1)
		snprintf(buf, size, "; there was work for at most %.1f",
			 cpu->demand_peak_cores);
	return buf;
}

/* Idle time without known cause, if it was most of the run; otherwise 0. */
static double unseen_ratio(const struct sw_view *view)
{
	double ratio = sw_limit_ratio(&view->limits, SW_LIMIT_UNSEEN);

	return ratio >= SW_MOST ? ratio : 0;
}

/* The cause of the idle time would show if the CPUs were needed. */
static double confidence(const struct sw_view *view)
{
	return (view->cpu.is_requested ? 0.9 : 0.6) *
	       (unseen_ratio(view) > 0 ? 2.0 / 3 : 1);
}

/* Format the end of the sentence about idle time without known cause. */
static const char *unseen_words(char *buf, size_t size,
				const struct sw_view *view)
{
	double ratio = unseen_ratio(view);

	buf[0] = '\0';
	if (ratio > 0)
		snprintf(buf, size, " It was idle for %.0f %% of the time, for "
			 "a reason that was not recorded.", ratio * 100);
	return buf;
}

static void say(struct sw_finding *finding, const struct sw_view *view,
		double useful)
{
	const struct sw_view_cpu *cpu = &view->cpu;
	const char *plural = useful > 1 ? "s" : "";
	char option[48], waste[48], demand[48], unseen[96];

	unseen_words(unseen, sizeof(unseen), view);
	option_of(option, sizeof(option), view, useful);
	demand_words(demand, sizeof(demand), cpu);
	if (cpu->is_requested)
		sw_finding_sentence(finding,
			"At most %.1f of the %.4g CPUs requested were busy at "
			"once (%.1f on average)%s. %.4g %s idle for the "
			"whole run: %s. %s would have been enough for this "
			"run.%s", cpu->peak_cores, cpu->allocated_cores,
			cpu->mean_cores, demand,
			cpu->allocated_cores - useful,
			cpu->allocated_cores - useful > 1 ? "were" : "was",
			sw_waste_words(waste, sizeof(waste),
				       finding->wasted_core_hours, "core"),
			option, unseen);
	else
		sw_finding_sentence(finding,
			"No number of CPUs was requested. At most %.1f of the "
			"%.4g available were busy at once (%.1f on "
			"average)%s. As a batch job, this run would need "
			"%.0f CPU%s.%s",
			cpu->peak_cores, cpu->allocated_cores,
			cpu->mean_cores, demand, useful, plural, unseen);
}

/* cpu.slow_stage may be unable to find the stage that set the pace. */
static bool may_be_paced(const struct sw_view *view)
{
	return view->pipe_count &&
	       sw_limits_are_of_others(&view->limits) &&
	       sw_ratio_u64(view->pipe_waited_usec, view->elapsed_usec) >=
		       SW_SOME;
}

static const char *blind_to(const struct sw_view *view)
{
	if (may_be_paced(view))
		return "what idle CPUs could be saved is not known: programs "
		       "waited for each other at pipes, and others had "
		       "their CPUs";
	if (sw_is_idle_explained(view))
		return "what idle CPUs could be saved is not known: for most "
		       "of the time something else than CPUs limited the step";
	if (!isnan(view->cpu.demand_peak_cores))
		return NULL;
	return view->cpu.is_constrained ?
		"the step was held back (by others on its CPUs, a quota or "
		"a binding), and how many CPUs it wanted was not visible" :
		"how long its threads waited for a CPU is not known";
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_cpu *cpu = &view->cpu;
	struct sw_evidence peak = {
		"peak_cores", cpu->peak_cores, "cores", NAN, SW_MISSING,
	};
	struct sw_evidence mean = {
		"mean_cores", cpu->mean_cores, "cores", NAN, SW_MISSING,
	};
	struct sw_evidence demand = {
		"demand_peak_cores", cpu->demand_peak_cores, "cores", NAN,
		SW_MISSING,
	};
	struct sw_finding *finding;
	double useful, hours;

	if (sw_is_missing(view->elapsed_usec) ||
	    isnan(cpu->demand_peak_cores) || isnan(cpu->allocated_cores) ||
	    sw_is_idle_explained(view) || may_be_paced(view))
		return 0;
	hours = (double)view->elapsed_usec / SW_USEC_PER_SEC / 3600;
	useful = sw_view_useful_cpus(cpu->demand_peak_cores);
	if (hours * 3600 < setting[MIN_ELAPSED_SECONDS] ||
	    useful > cpu->allocated_cores * setting[MAX_USED_RATIO])
		return 0;
	peak.threshold = cpu->allocated_cores * setting[MAX_USED_RATIO];
	finding = sw_finding_add(findings, "cpu.over_allocated",
				 cpu->is_requested ? SW_WARNING : SW_INFO,
				 confidence(view), &peak);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &mean);
	sw_finding_evidence(finding, &demand);
	sw_finding_subject(finding, "step");
	if (cpu->is_requested)
		finding->wasted_core_hours =
			(cpu->allocated_cores - useful) * hours;
	say(finding, view, useful);
	return 0;
}

const struct sw_rule sw_rule_cpu_over_allocated = {
	.id = "cpu.over_allocated",
	.title = "CPUs requested and never used",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step was given more CPUs than it ever had work for at the same "
	"time. Other jobs could have used them.",
	.what_to_do =
	"Request the number of CPUs named, or tell the program to use the CPUs "
	"it has (-t, -j, --threads, OMP_NUM_THREADS). This is one run: another "
	"input may use more.",
	.computed =
	"From the step's CPU time (cpu.stat usage_usec of its cgroup, "
	"otherwise utime and stime of its processes) and the time that its "
	"runnable threads waited for a CPU (run_delay of the kernel's "
	"sched_info). The largest mean of their sum over any interval of at "
	"least half a second, rounded up, is the number of CPUs that the run "
	"could use. Reported when that is at most max_used_ratio of the CPUs "
	"requested and the step ran for min_elapsed_seconds.\n\n"
	"If no number of CPUs was requested, the CPUs of the machine or of the "
	"cgroup's limits take its place, and the finding is informational. A "
	"step counts as held back when its threads waited for a tenth of the "
	"run and of the time that they were runnable, or when a quota ran out "
	"in a twentieth of its periods. Nothing is reported where these waits "
	"were recorded only in part, or where other programs had the CPUs of a "
	"pipeline. Where nothing ran for half of the time and the reason was "
	"not recorded, the finding says so, with less confidence.",
	.needs = { { "series.cpu", "usage_usec" },
		   { "series.proc", "utime_usec" } },
	.is_any_need = true,
	.is_of_request = true,
	.settings = {
		{ "min_elapsed_seconds", 5, 0, 86400,
		  "shorter steps are not evaluated" },
		{ "max_used_ratio", SW_USEFUL_RATIO, 0.05, 1,
		  "largest share of the CPUs that the step could use" },
	},
	.yields_to = causes,
	.eval = eval,
	.blind_to = blind_to,
};

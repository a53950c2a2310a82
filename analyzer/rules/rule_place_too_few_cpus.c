/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.too_few_cpus: threads took turns while CPUs of the step were idle. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

enum { MIN_WAITING_THREADS = SW_WORTH_SETTINGS_COUNT, MIN_FREE_CPUS,
       MAX_THROTTLED_RATIO };

static const char *const causes[] = { "place.packed", NULL };

/* The time in which it was so, and means over that time. */
struct bound {
	double usec, used, wanted;
};

static void add(struct bound *bound, double usec, double used, double waits)
{
	bound->usec += usec;
	bound->used += usec * used;
	bound->wanted += usec * (used + waits);
}

static struct bound measure(const struct sw_view *view, double cpus,
			    const double *setting)
{
	const struct sw_curve *cores = &view->cores;
	struct bound bound = { 0, 0, 0 };
	size_t i;

	for (i = 0; i < cores->count; i++) {
		uint64_t start = cores->start_usec[i];
		uint64_t end = cores->end_usec[i];
		double waits = sw_curve_mean(&view->cpu_waits, start, end);

		if (waits >= setting[MIN_WAITING_THREADS] &&
		    cores->value[i] <= cpus - setting[MIN_FREE_CPUS])
			add(&bound, (double)(end - start), cores->value[i],
			    waits);
	}
	bound.used /= bound.usec;
	bound.wanted /= bound.usec;
	return bound;
}

/* CPUs that the step may run on, by cgroup, affinity and quota. */
static double reach_of(const struct sw_view *view)
{
	const struct sw_placement *placement = &view->placement;
	double node = sw_real_u64(view->node_cpus);

	if (placement->has_step_cpus)
		return fmin(node, (double)sw_cpus_count(&placement->step_cpus));
	return fmin(node, view->cpu.available_cores);
}

/*
 * Return a lower bound of the step's idle CPUs during that time: assume that
 * the whole node was idle for the rest of the run, and that CPUs outside the
 * step were always idle.  NAN if unknown.
 */
static double idle_cpus(const struct sw_view *view, const struct bound *bound)
{
	double rest = (double)view->elapsed_usec - bound->usec;
	double node = sw_real_u64(view->node_cpus);

	return (sw_real_u64(view->nearby.around.idle_usec) -
		fmax(rest, 0) * node) / bound->usec - (node - reach_of(view));
}

/* Number of CPUs that all tasks are bound to; 0 if any is unknown. */
static size_t task_cpus(const struct sw_view *view)
{
	const struct sw_placement *placement = &view->placement;
	struct sw_cpus all = { 0 };
	size_t i;

	for (i = 0; i < placement->task_count; i++) {
		if (!sw_cpus_count(&placement->tasks[i].cpus))
			return 0;
		sw_cpus_add(&all, &placement->tasks[i].cpus);
	}
	return sw_cpus_count(&all);
}

/* CPUs that the threads are bound to; each may be bound alone. */
static size_t bound_cpus(const struct sw_view *view)
{
	size_t tasks = task_cpus(view);
	size_t seen = (size_t)view->placement.crowded_cpus;

	return seen && (!tasks || seen < tasks) ? seen : tasks;
}

/*
 * They used all of these few CPUs, so no neighbor had them, or samples saw more
 * threads than CPUs.
 */
static bool is_bound(const struct sw_view *view, const struct bound *bound,
		     size_t count, double cpus)
{
	return count && (double)count < cpus &&
	       (view->placement.crowded_cpus ||
		bound->used >= SW_NEARLY_ALL * (double)count) &&
	       bound->used * SW_NEARLY_ALL <= (double)count;
}

/* CPUs of its binding that neighbors used are not its waste. */
static double lost_cpus(const struct sw_view *view, const struct bound *bound,
			double cpus)
{
	return fmin(cpus, bound->wanted) -
	       fmax(bound->used, (double)view->placement.crowded_cpus);
}

static struct sw_loss loss_of(const struct sw_view *view,
			      const struct bound *bound, double cpus)
{
	bool is_known = is_bound(view, bound, bound_cpus(view), cpus);

	return (struct sw_loss){ bound->usec,
				 lost_cpus(view, bound, cpus) / cpus,
				 is_known ? 0.9 : 0.7 };
}

static struct sw_finding *add_finding(const struct sw_view *view,
				      const struct bound *bound, double cpus,
				      const double *setting,
				      struct sw_findings *findings)
{
	struct sw_loss loss = loss_of(view, bound, cpus);
	struct sw_evidence time = {
		"time with threads waiting and CPUs free / elapsed",
		bound->usec / (double)view->elapsed_usec, "ratio",
		sw_worth_ratio(&loss, setting), SW_MISSING,
	};
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "place.too_few_cpus", SW_WARNING,
				 loss.sure, &time);
	if (!finding)
		return NULL;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"runnable threads", bound->wanted, "count", NAN, SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"CPUs used", bound->used, "cores", cpus, SW_MISSING });
	sw_finding_subject(finding, "step");
	finding->wasted_core_hours = lost_cpus(view, bound, cpus) *
				     bound->usec / SW_USEC_PER_SEC / 3600;
	return finding;
}

static int tell(const struct sw_view *view, const struct bound *bound,
		double cpus, const double *setting,
		struct sw_findings *findings)
{
	size_t count = bound_cpus(view);
	bool is_known = is_bound(view, bound, count, cpus);
	struct sw_finding *finding;
	char why[80] = "CPUs of the step were idle, so they are bound to "
		       "fewer";

	finding = add_finding(view, bound, cpus, setting, findings);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		is_known ? "CPUs that the threads are bound to" :
			   "idle CPUs of the step, at least",
		is_known ? (double)count : idle_cpus(view, bound), "cores",
		NAN, SW_MISSING });
	if (is_known)
		snprintf(why, sizeof(why), "they are bound to %zu CPU%s",
			 count, count > 1 ? "s" : "");
	sw_finding_sentence(finding,
		"For %.0f %% of the time %.1f threads were ready to run but "
		"used %.1f of %.4g CPUs: %s. Look for taskset, OMP_PROC_BIND, "
		"GOMP_CPU_AFFINITY or mpirun's binding, and give srun "
		"--cpus-per-task, which it does not take from sbatch since "
		"Slurm 22.05.",
		100 * bound->usec / (double)view->elapsed_usec, bound->wanted,
		bound->used, cpus, why);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	double cpus = fmin(view->cpu.allocated_cores,
			   sw_real_u64(view->node_cpus));
	struct bound bound;
	struct sw_loss loss;

	if (sw_is_missing(view->elapsed_usec) || !(cpus >= 2) ||
	    sw_ratio_u64(view->cpu.throttled_periods, view->cpu.periods) >
		    setting[MAX_THROTTLED_RATIO])
		return 0;
	bound = measure(view, cpus, setting);
	loss = loss_of(view, &bound, cpus);
	if (!sw_is_worth_telling(view, &loss, setting) ||
	    (!is_bound(view, &bound, bound_cpus(view), cpus) &&
	     !(idle_cpus(view, &bound) >= setting[MIN_FREE_CPUS])))
		return 0;
	return tell(view, &bound, cpus, setting, findings);
}

const struct sw_rule sw_rule_place_too_few_cpus = {
	.id = "place.too_few_cpus",
	.title = "Bound to fewer CPUs than it has",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"Threads of the step waited for a CPU although CPUs of the step were "
	"idle. They are bound to fewer CPUs than the step has; otherwise the "
	"kernel would have moved them.",
	.what_to_do =
	"Remove the binding, or bind to as many CPUs as there are threads. "
	"srun takes --cpus-per-task from its own options or from "
	"SRUN_CPUS_PER_TASK, not from sbatch.",
	.computed =
	"From CPU time and the time that runnable threads waited for a CPU "
	"between samples (run_delay, Documentation/scheduler/sched-stats.rst): "
	"an interval counts when at least min_waiting_threads waited, on "
	"average, while the step left min_free_cpus of its CPUs unused. "
	"Reported when the CPUs lost in such intervals reach min_lost_ratio "
	"and min_lost_seconds, and no other program can have had the CPUs. "
	"That is so where all tasks, or in most samples the threads that ran "
	"or could run, are bound to fewer CPUs than the step has "
	"(Cpus_allowed_list), and used nine tenths of these or were more "
	"threads than these CPUs in most samples (series.runnable); or where "
	"the node had so many idle CPUs that min_free_cpus of them are the "
	"step's even if all others were idle, and all of them in the rest of "
	"the time. Otherwise other programs may have had the CPUs "
	"(cpu.starved); where a quota ran out in more than max_throttled_ratio "
	"of its periods, that is the reason (cpu.throttled). Example: 8 "
	"threads below \"taskset -c 0\" use 1.0 of 8 CPUs, and 7 wait.",
	.needs = { { "series.proc", "run_queue_wait_usec" },
		   { "series.node", "idle_usec" } },
	.settings = {
		SW_WORTH_SETTINGS,
		{ "min_waiting_threads", 0.8, 0.1, 1000,
		  "threads that waited for a CPU, on average" },
		{ "min_free_cpus", 0.5, 0.1, 1000,
		  "CPUs that were free meanwhile" },
		{ "max_throttled_ratio", 0.05, 0, 1,
		  "share of a quota's periods in which it ran out" },
	},
	.yields_to = causes,
	.eval = eval,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.oversubscribed: more threads ran than the step had CPUs. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

enum { MIN_THREADS_RATIO, MIN_BUSY_RATIO, MIN_ELAPSED_SECONDS };

/* Threads bound to a part of the CPUs. */
static const char *const causes[] = { "place.too_few_cpus", NULL };

/* Intervals with many more runnable threads than CPUs. */
struct crowd {
	double usec;
	double threads, cores;	/* averages: runnable threads, CPUs used */
};

/* Return the most CPUs that the step can have; NAN if unknown. */
static double most_cpus(const struct sw_view *view)
{
	return fmin(fmin(view->cpu.allocated_cores, view->cpu.available_cores),
		    sw_real_u64(view->node_cpus));
}

static struct crowd find_crowd(const struct sw_view *view, double least)
{
	const struct sw_curve *cores = &view->cores;
	struct crowd crowd = { 0 };
	size_t i;

	for (i = 0; i < cores->count; i++) {
		uint64_t start = cores->start_usec[i];
		uint64_t end = cores->end_usec[i];
		double usec = (double)(end - start);
		double waits = sw_curve_mean(&view->cpu_waits, start, end);

		if (!(cores->value[i] + waits >= least))
			continue;
		crowd.usec += usec;
		crowd.threads += usec * (cores->value[i] + waits);
		crowd.cores += usec * cores->value[i];
	}
	if (crowd.usec > 0) {
		crowd.threads /= crowd.usec;
		crowd.cores /= crowd.usec;
	}
	return crowd;
}

/* CPUs used by others on the node and stolen by its host; 0 if unknown. */
static double other_cpus(const struct sw_view *view)
{
	const struct sw_view_surroundings *around = &view->nearby.around;
	uint64_t usec = sw_add_u64(around->other_usec,
				   sw_zero_if_missing(around->steal_usec));
	double cpus = sw_ratio_u64(usec, view->elapsed_usec);

	return isnan(cpus) ? 0 : cpus;
}

/*
 * Threads that leave CPUs idle are bound to fewer of them.  CPUs used by others
 * do not change the number of threads per CPU.
 */
static bool is_full(const struct sw_view *view, const struct crowd *crowd,
		    double cpus, double ratio)
{
	bool knows_bound = view->placement.knows_bound ||
			   crowd->cores > cpus - 1;

	return crowd->cores >= ratio * cpus ||
	       (knows_bound && crowd->cores + other_cpus(view) >=
				       ratio * sw_real_u64(view->node_cpus));
}

/* " Other processes used 0.9 CPUs of the node."; "" if that is little. */
static void say_others(const struct sw_view *view, double cpus,
			      char *text, size_t size)
{
	double others = other_cpus(view);

	text[0] = '\0';
	if (others >= SW_SOME * cpus)
		snprintf(text, size, " Other processes used %.1f CPUs of the "
			 "node, which does not change that.", others);
}

static int tell(const struct sw_view *view, const struct crowd *crowd,
		double cpus, double threshold, struct sw_findings *findings)
{
	struct sw_evidence evidence = { "runnable threads / CPUs",
					crowd->threads / cpus, "ratio",
					threshold, SW_MISSING };
	struct sw_finding *finding;
	char others[96];

	finding = sw_finding_add(findings, "cpu.oversubscribed", SW_WARNING,
				 0.8, &evidence);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"time with so many", crowd->usec / SW_USEC_PER_SEC, "seconds",
		NAN, SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"run_queue_wait", (double)view->cpu.run_queue_wait_usec /
		SW_USEC_PER_SEC, "seconds", NAN, SW_MISSING });
	sw_finding_subject(finding, "step");
	say_others(view, cpus, others, sizeof(others));
	sw_finding_sentence(finding,
		"For %s (%.0f %% of the time) %.1f threads of the step wanted "
		"to run at once on its %.4g CPU%s, %.1f for each: they waited "
		"for each other%s. Fewer threads would finish as early: start "
		"as many as there are CPUs (-t, -j, --threads, "
		"OMP_NUM_THREADS; a pool of processes with threads multiplies "
		"the two), or request more CPUs.%s",
		sw_duration_text(sw_whole_real(crowd->usec)).s,
		crowd->usec / (double)view->elapsed_usec * 100, crowd->threads,
		cpus, cpus > 1 ? "s" : "", crowd->threads / cpus,
		others[0] ? " and for other processes" : "", others);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	double cpus = most_cpus(view);
	struct crowd crowd;

	if (isnan(cpus) || sw_is_missing(view->cpu.run_queue_wait_usec) ||
	    sw_view_is_shorter(view, setting[MIN_ELAPSED_SECONDS]))
		return 0;
	crowd = find_crowd(view, setting[MIN_THREADS_RATIO] * cpus);
	/* Crowding for less of the run is a burst, perhaps intended. */
	if (crowd.usec < SW_MOST * (double)view->elapsed_usec ||
	    !is_full(view, &crowd, cpus, setting[MIN_BUSY_RATIO]))
		return 0;
	return tell(view, &crowd, cpus, setting[MIN_THREADS_RATIO], findings);
}

const struct sw_rule sw_rule_cpu_oversubscribed = {
	.id = "cpu.oversubscribed",
	.title = "More threads than CPUs",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step ran more threads than it had CPUs. They take turns, which "
	"costs cache contents, and threads that wait for each other (OpenMP, "
	"MPI) wait for whole time slices.",
	.what_to_do =
	"Start as many threads as there are CPUs. Programs that count the "
	"node's CPUs ignore the request: set OMP_NUM_THREADS, -t or --threads "
	"from $SLURM_CPUS_PER_TASK. A threaded library inside a threaded "
	"program multiplies the number of threads.",
	.computed =
	"From CPU time and run_delay of the kernel's sched_info: their sum "
	"over a sampling interval is the number of threads that ran or could "
	"have run, whichever other programs use the CPUs. Reported when that "
	"was min_threads_ratio of the step's CPUs (those requested, or those "
	"that it may use or the node has, if these are fewer) in at least half "
	"of the time, these CPUs were busy for min_busy_ratio of it, and the "
	"step ran for min_elapsed_seconds. Where other programs had some of "
	"the CPUs, the node must have been that busy, and the CPUs that the "
	"threads may use must be known (series.runnable). CPU time lost to "
	"other programs is cpu.starved.",
	.needs = { { "series.proc", "run_queue_wait_usec" } },
	.settings = {
		{ "min_threads_ratio", 2, 1, 1000,
		  "runnable threads for each CPU" },
		{ "min_busy_ratio", 0.85, 0, 1,
		  "share of its CPUs that has to be busy" },
		{ "min_elapsed_seconds", 5, 0, 86400,
		  "shorter steps are not evaluated" },
	},
	.yields_to = causes,
	.eval = eval,
};

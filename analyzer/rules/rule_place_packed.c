/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.packed: busy tasks took turns on a CPU while others idled. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_place.h"
#include "common/units.h"

enum { MIN_SEEN_SHARE, MIN_BUSY_RATIO, MIN_WAIT_RATIO, MIN_IDLE_CPUS };

bool sw_place_is_settled(const struct sw_view *view,
			 const struct sw_place_task *task, double min_share)
{
	return sw_cpus_count(&task->cpus) > 0 &&
	       !sw_is_missing(task->seen_usec) &&
	       !sw_is_missing(view->elapsed_usec) && view->elapsed_usec > 0 &&
	       (double)task->seen_usec >=
		       min_share * (double)view->elapsed_usec;
}

/* Tasks bound to the same set of CPUs. */
struct group {
	const struct sw_cpus *cpus;
	size_t cpu_count, task_count;
	double busy;		/* CPUs that they used together */
	double waited;		/* share of their time on average, 0 to 1 */
	uint64_t seen_usec;	/* shortest time observed */
};

static void add_task(struct group *group, const struct sw_place_task *task)
{
	group->task_count++;
	group->busy += sw_place_rate(task);
	group->waited += (double)task->run_queue_wait_usec /
			 (double)task->seen_usec;
	group->seen_usec = sw_min_u64(group->seen_usec, task->seen_usec);
}

/*
 * Gather the busy tasks within the CPUs of one task: each used at least half of
 * its share if all of them were always runnable.
 */
static struct group gather(const struct sw_view *view,
			   const struct sw_cpus *cpus, double min_share)
{
	const struct sw_placement *placement = &view->placement;
	struct group group = { .cpus = cpus, .seen_usec = SW_MISSING };
	size_t i, within = 0;
	double fair;

	group.cpu_count = sw_cpus_count(cpus);
	for (i = 0; i < placement->task_count; i++)
		within += sw_cpus_count(&placement->tasks[i].cpus) > 0 &&
			  sw_cpus_is_within(&placement->tasks[i].cpus, cpus);
	fair = within ? (double)group.cpu_count / (double)within : 1;
	for (i = 0; i < placement->task_count; i++) {
		const struct sw_place_task *task = &placement->tasks[i];

		if (sw_place_is_settled(view, task, min_share) &&
		    sw_cpus_is_within(&task->cpus, cpus) &&
		    !sw_is_missing(task->run_queue_wait_usec) &&
		    sw_place_rate(task) >= fair / 2)
			add_task(&group, task);
	}
	if (group.task_count)
		group.waited /= (double)group.task_count;
	return group;
}

/* Return the CPUs that the step left unused; NAN if unknown. */
static double idle_cpus(const struct sw_view *view)
{
	const struct sw_placement *placement = &view->placement;
	double allowed = placement->has_step_cpus ?
			(double)sw_cpus_count(&placement->step_cpus) :
			view->cpu.allocated_cores;

	return allowed - view->cpu.mean_cores;
}

static bool is_packed(const struct group *group, const double *setting)
{
	return group->task_count >= 2 &&
	       group->task_count > group->cpu_count &&
	       group->busy >= setting[MIN_BUSY_RATIO] *
			      (double)group->cpu_count &&
	       group->waited >= setting[MIN_WAIT_RATIO];
}

static int report(const struct group *group, double idle,
		  const double *setting, struct sw_findings *findings)
{
	const struct sw_evidence wait = {
		"run_queue_wait_usec / time, mean of the tasks",
		group->waited, "ratio", setting[MIN_WAIT_RATIO], SW_MISSING };
	const struct sw_evidence busy = {
		"cpu_usec / time / CPUs of the tasks",
		group->busy / (double)group->cpu_count, "ratio",
		setting[MIN_BUSY_RATIO], SW_MISSING };
	const struct sw_evidence left = {
		"CPUs allowed - CPUs used", idle, "cores",
		setting[MIN_IDLE_CPUS], SW_MISSING };
	double surplus = (double)(group->task_count - group->cpu_count);
	struct sw_finding *finding;
	char cpus[48];

	finding = sw_finding_add(findings, "place.packed", SW_WARNING, 0.9,
				 &wait);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &busy);
	sw_finding_evidence(finding, &left);
	sw_finding_subject(finding, "step");
	finding->wasted_core_hours = (surplus < idle ? surplus : idle) *
		(double)group->seen_usec / SW_USEC_PER_SEC / 3600;
	if (group->cpu_count == 1)
		snprintf(cpus, sizeof(cpus), "CPU %" PRIu64,
			 sw_cpus_first(group->cpus));
	else
		snprintf(cpus, sizeof(cpus), "the same %zu CPUs",
			 group->cpu_count);
	sw_finding_sentence(finding,
		"%zu busy tasks are bound to %s and took turns: each waited "
		"%.0f %% of its time for a CPU, while %.1f CPUs that the step "
		"may use were idle. Bind each task to CPUs of its own (srun "
		"--cpu-bind=cores with --cpus-per-task), or leave the binding "
		"to Slurm alone where the program or mpirun also binds.",
		group->task_count, cpus, group->waited * 100, idle);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_placement *placement = &view->placement;
	struct group worst = { 0 };
	double idle = idle_cpus(view);
	size_t i;

	if (isnan(idle) || idle < setting[MIN_IDLE_CPUS])
		return 0;
	for (i = 0; i < placement->task_count; i++) {
		struct group group = gather(view, &placement->tasks[i].cpus,
					    setting[MIN_SEEN_SHARE]);

		if (is_packed(&group, setting) &&
		    group.task_count - group.cpu_count >
			    worst.task_count - worst.cpu_count)
			worst = group;
	}
	return worst.task_count ?
		report(&worst, idle, setting, findings) : 0;
}

static const char *blind_to(const struct sw_view *view)
{
	const struct sw_placement *placement = &view->placement;
	size_t i;

	if (placement->task_count < 2)
		return NULL;
	if (isnan(idle_cpus(view)))
		return "it is not known how many CPUs the step could use";
	for (i = 0; i < placement->task_count; i++) {
		if (!sw_place_is_settled(view, &placement->tasks[i], 0.5))
			return "the binding of a task was not known for half "
			       "of the time";
	}
	return NULL;
}

const struct sw_rule sw_rule_place_packed = {
	.id = "place.packed",
	.title = "Tasks packed onto the same CPUs",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"More busy tasks are bound to a set of CPUs than it has, so they take "
	"turns while other CPUs of the step are idle. This happens when two "
	"programs bind at the same time, such as Slurm and mpirun, or when "
	"each of several runs starts counting at CPU 0.",
	.what_to_do =
	"Bind each task to CPUs of its own (srun --cpu-bind=cores), and let "
	"only one of Slurm, mpirun and the program bind.",
	.computed =
	"From Cpus_allowed_list of each task's first process, its CPU time, "
	"and the time its main thread waited for a CPU (schedstat), since the "
	"binding was set. Reported when more tasks are bound within one set of "
	"CPUs than it has CPUs, they use at least min_busy_ratio of these, "
	"wait at least min_wait_ratio of their time, and at least "
	"min_idle_cpus of the step's CPUs (cpuset.cpus.effective, otherwise "
	"those requested) are idle on average. A task that was seen for less "
	"than min_seen_share of the step does not count. Threads that a "
	"program binds one by one are not seen.",
	.needs = { { "series.binding", "allowed_cpus" },
		   { "series.binding", "cpu_usec" },
		   { "series.binding", "run_queue_wait_usec" } },
	.settings =
		{
			{ "min_seen_share", 0.5, 0, 1,
			 "share of the step's time in which a task's binding "
			 "was known" },
			{ "min_busy_ratio", 0.85, 0, 1,
			 "share of their CPUs that the tasks used" },
			{ "min_wait_ratio", 0.2, 0, 1,
			 "share of their time that the tasks waited for a CPU" },
			{ "min_idle_cpus", 0.8, 0, 1000,
			 "CPUs of the step that were idle, on average" },
		},
	.eval = eval,
	.blind_to = blind_to,
};

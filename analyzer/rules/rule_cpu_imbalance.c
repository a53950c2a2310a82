/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.imbalance: one task or worker had much more to do than the others. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/finding.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/shares.h"
#include "common/one_cpu.h"
#include "common/units.h"

enum { MAX_BALANCE_RATIO = SW_WORTH_SETTINGS_COUNT, MIN_BUSY_RATIO };

/* Demand is constant within this share of its mean.  Chosen by hand. */
static const double ALIKE_NOISE = 0.25;

/* Workers that shared the work, by CPU time or by time at work. */
struct team {
	size_t count;
	double mean_usec, max_usec;
	double busy;		/* CPUs used by the busiest one over its time */
	double cpus;		/* CPUs that they can use at a time */
	char busiest[96], all[96];	/* untrusted text */
	const char *verb;
	double polled;		/* share of CPU time in MPI; 0 if none */
	char unit[80];		/* as in: "used" so long " of CPU time" */
};

static bool is_known(const struct sw_view_task *task)
{
	return !sw_is_missing(task->cpu_usec) &&
	       (task->has_own_cpu ||
		sw_is_same_text(task->cgroup_kind, "task"));
}

static double time_of(const struct sw_view *view,
		      const struct sw_view_task *task)
{
	if (sw_is_missing(task->start_usec) || sw_is_missing(task->end_usec) ||
	    task->end_usec <= task->start_usec)
		return sw_real_u64(view->elapsed_usec);
	return (double)(task->end_usec - task->start_usec);
}

static const struct sw_view_task *busiest_task(const struct sw_view *view)
{
	const struct sw_view_task *busiest = NULL;
	size_t i;

	for (i = 0; i < view->task_count; i++) {
		if (is_known(&view->tasks[i]) &&
		    (!busiest ||
		     view->tasks[i].cpu_usec > busiest->cpu_usec))
			busiest = &view->tasks[i];
	}
	return busiest;
}

/*
 * Return true if CPU time measures computation.  It does not for ranks that
 * poll in MPI, nor for tasks that were killed while one was busy and all others
 * idle: they may all have waited for each other.
 */
static bool is_work(const struct sw_view *view, size_t tasks, size_t idle)
{
	uint64_t polled = 0;
	size_t i;

	for (i = 0; i < view->program_count; i++)
		polled += sw_zero_if_missing(view->programs[i].mpi_usec);
	return (double)polled <
		       SW_MOST * sw_real_u64(view->cpu.used_usec) &&
	       !((view->state == SW_STATE_KILLED ||
		  view->state == SW_STATE_INTERRUPTED) &&
		 idle + 1 >= tasks);
}

/* Return the ranks on this node, except for one that only coordinates. */
static struct team team_of_tasks(const struct sw_view *view)
{
	const struct sw_view_task *most = busiest_task(view);
	struct team team = { 0 };
	double sum = 0;
	size_t i, idle = 0;

	for (i = 0; most && i < view->task_count; i++) {
		if (!is_known(&view->tasks[i]))
			continue;
		sum += (double)view->tasks[i].cpu_usec;
		team.count++;
		idle += (double)view->tasks[i].cpu_usec <
			SW_HARDLY * (double)most->cpu_usec;
	}
	if (!most || !is_work(view, team.count, idle))
		return (struct team){ 0 };
	team.count -= idle == 1;
	team.mean_usec = sum / (double)(team.count ? team.count : 1);
	team.max_usec = (double)most->cpu_usec;
	team.busy = team.max_usec / time_of(view, most);
	team.verb = "used";
	strcpy(team.unit, " of CPU time");
	snprintf(team.busiest, sizeof(team.busiest), "Task %" PRIu64,
		 most->rank);
	snprintf(team.all, sizeof(team.all), "%zu tasks of this node",
		 team.count);
	return team;
}

/*
 * The longest process is measured by its elapsed time.  This is work only if
 * the processes together worked at least as long, which is not so if waits for
 * a CPU are not known or if it waited for something else.
 */
static bool was_at_work(const struct sw_view_program *program, double longest)
{
	uint64_t work_usec = sw_sum_u64(program->cpu_usec,
					program->run_queue_wait_usec);

	return sw_real_u64(work_usec) >= SW_NEARLY_ALL * longest;
}

/*
 * Return true if the processes of a program ran side by side, one thread each:
 * the first one started is the last one to end.  A short process before or
 * after the longest one extends their life by its own time.
 */
static bool is_team(const struct sw_view *view,
		    const struct sw_view_program *program)
{
	double longest = sw_real_u64(program->elapsed_max_usec);
	double life = sw_real_u64(program->last_end_usec) -
		      sw_real_u64(program->first_start_usec);

	return program->started >= 2 && program->ended == program->started &&
	       !sw_is_missing(program->started) &&
	       sw_ratio_u64(program->cpu_usec, view->cpu.used_usec) >=
		       SW_MAINLY &&
	       fabs(life - longest) <= SW_SOME * longest &&
	       !(life - longest >= sw_real_u64(program->elapsed_p50_usec) / 2) &&
	       was_at_work(program, longest) &&
	       view->cpu.demand_peak_cores >= (double)program->started - 0.3 &&
	       sw_limits_ratio(&view->limits, SW_LIMITED_BY_CPU) +
			       sw_limits_ratio(&view->limits,
					       SW_LIMITED_BY_NODE) >=
		       SW_NEARLY_ALL;
}

/* CPUs wanted in the last quarter if one thread ran there; 0 otherwise. */
static double alone_at_end(const struct sw_view *view,
			   const struct sw_view_program *program)
{
	uint64_t end = program->last_end_usec;
	uint64_t start = end - program->elapsed_max_usec / 4;
	double busy = sw_curve_mean(&view->cores, start, end);
	double waits = sw_curve_mean(&view->cpu_waits, start, end);
	double wanted = busy + (isnan(waits) ? 0 : waits);

	return sw_is_one_cpu(wanted) ? wanted : 0;
}

static struct team team_of_program(const struct sw_view *view,
				   const struct sw_view_program *program)
{
	struct team team = { .count = (size_t)program->started };
	char name[64];

	/* Include waits for a CPU: neighbors of all of them cancel out. */
	team.mean_usec = (double)sw_sum_u64(program->cpu_usec,
					    program->run_queue_wait_usec) /
			 (double)program->started;
	team.max_usec = (double)program->elapsed_max_usec;
	team.busy = alone_at_end(view, program);
	team.verb = "worked for";
	sw_finding_name(name, sizeof(name), sw_text(program->name));
	snprintf(team.busiest, sizeof(team.busiest), "One %s", name);
	snprintf(team.all, sizeof(team.all), "%zu that ran side by side",
		 team.count);
	return team;
}

/*
 * Return the MPI ranks, which compute in their own code and poll in MPI while
 * they wait for each other, so that all of them are always busy.
 */
static struct team team_of_ranks(const struct sw_view *view,
				 const struct sw_view_program *program)
{
	double count = (double)program->started;
	double cpu = sw_real_u64(program->cpu_usec) / count;
	struct team team = { .verb = "computed for" };
	char name[64];

	if (!(count >= 2) || program->ended != program->started ||
	    program->mpi_processes != program->started ||
	    !(sw_ratio_u64(program->cpu_usec, view->cpu.used_usec) >=
	      SW_MAINLY))
		return team;
	team.count = (size_t)program->started;
	team.mean_usec = cpu - sw_real_u64(program->mpi_usec) / count;
	team.max_usec = cpu - sw_real_u64(program->mpi_least_usec);
	team.busy = cpu / sw_real_u64(program->elapsed_max_usec);
	team.polled = sw_ratio_u64(program->mpi_usec, program->cpu_usec);
	sw_finding_name(name, sizeof(name), sw_text(program->name));
	snprintf(team.busiest, sizeof(team.busiest), "One rank of %s", name);
	snprintf(team.all, sizeof(team.all), "%zu ranks of this node",
		 team.count);
	return team;
}

/* True if demand was constant, so no phases explain the shares. */
static bool is_alike(const struct sw_view *view)
{
	const struct sw_curve *cores = &view->cores;
	double mean = view->cpu.mean_cores, alike = 0, wanted, waits;
	size_t i;

	for (i = 0; i < cores->count; i++) {
		uint64_t start = cores->start_usec[i];
		uint64_t end = cores->end_usec[i];

		waits = sw_curve_mean(&view->cpu_waits, start, end);
		wanted = cores->value[i] + (isnan(waits) ? 0 : waits);
		if (fabs(wanted - mean) <= ALIKE_NOISE * mean)
			alike += (double)(end - start);
	}
	return alike >= SW_MAINLY * sw_real_u64(view->elapsed_usec);
}

/*
 * A team of the threads of one process that wait for the busiest one.  Threads
 * may differ by design: they are unbalanced only if they had at most half of
 * its CPU time on average, demand is constant, and the others mainly wait for
 * each other when they are idle.
 */
static struct team team_of_threads(const struct sw_view *view)
{
	const struct sw_view_workers *workers = &view->workers;
	double count = (double)workers->count, usec = (double)workers->usec;
	double idle = count - (double)workers->cpu_usec / usec;
	double others = (double)(workers->cpu_usec - workers->busiest_usec) /
			(count - 1);
	struct team team = { .verb = "used" };

	if (count < 2 || !(workers->at_locks >= SW_MAINLY * idle) ||
	    others > SW_MOST * (double)workers->busiest_usec ||
	    /* Threads that run one at a time gain nothing from equal shares. */
	    (double)workers->cpu_usec <= SW_ONE_CPU_HIGH * usec ||
	    view->workers.take_turns || !is_alike(view))
		return team;
	team.count = (size_t)workers->count;
	team.mean_usec = (double)workers->cpu_usec / count;
	team.max_usec = (double)workers->busiest_usec;
	team.busy = team.max_usec / usec;
	snprintf(team.unit, sizeof(team.unit), " of CPU time in the first %s",
		 sw_duration_text(workers->usec).s);
	snprintf(team.busiest, sizeof(team.busiest), "One thread");
	snprintf(team.all, sizeof(team.all), "%zu threads that work together",
		 team.count);
	return team;
}

/* Return workers that ran side by side, until one was left alone at the end. */
static struct team team_of_straggler(const struct sw_view *view)
{
	const struct sw_view_straggler *one = &view->workers.straggler;
	struct team team = { .verb = "used", .unit = " of CPU time" };
	const char *what = one->are_processes ? "process" : "thread";

	if (!one->count)
		return team;
	team.count = (size_t)one->count;
	team.mean_usec = (double)one->mean_usec;
	team.max_usec = (double)one->own_usec;
	team.busy = one->alone_cpus;
	snprintf(team.busiest, sizeof(team.busiest),
		 "One %s worked alone for the last %s: it", what,
		 sw_duration_text(one->alone_usec).s);
	snprintf(team.all, sizeof(team.all), "%zu %s that had worked side by "
		 "side", team.count, one->are_processes ? "processes" :
							  "threads");
	return team;
}

/* CPU time is of no use if the time that ranks computed is known. */
static struct team find_team(const struct sw_view *view)
{
	struct team team = { 0 };
	size_t i;

	for (i = 0; team.count < 2 && i < view->program_count; i++)
		team = team_of_ranks(view, &view->programs[i]);
	if (team.count < 2)
		team = team_of_tasks(view);
	for (i = 0; team.count < 2 && i < view->program_count; i++) {
		if (is_team(view, &view->programs[i]))
			return team_of_program(view, &view->programs[i]);
	}
	if (team.count < 2)
		team = team_of_straggler(view);
	return team.count < 2 ? team_of_threads(view) : team;
}

/* A rank that waits in MPI uses CPU time without computing. */
static void say(struct sw_finding *finding, const struct team *team,
		double lost)
{
	double least = (double)team->count * team->mean_usec / team->cpus;
	double less = 100 * (1 - least / team->max_usec);
	char waits[96] = "";

	if (team->polled > 0)
		snprintf(waits, sizeof(waits), " (%.0f %% of the ranks' CPU "
			 "time was in MPI, which polls while it waits)",
			 100 * team->polled);
	sw_finding_sentence(finding,
		"%s %s %s%s, the %s %s on average: the others had less to "
		"compute%s, and %.0f core-seconds were lost. With equal shares "
		"the step could take up to %.0f %% less time. %s",
		team->busiest, team->verb,
		sw_duration_text(sw_whole_real(team->max_usec)).s, team->unit,
		team->all, sw_duration_text(sw_whole_real(team->mean_usec)).s,
		waits, lost, less, team->polled > 0 ?
		"Give each rank an equal share of the work, or hand it out in "
		"smaller pieces." :
		"Split the work into more and smaller pieces that are handed "
		"out as workers become free, longest first.");
}

static int tell(const struct team *team, double lost, const double *setting,
		struct sw_findings *findings)
{
	double balance = team->mean_usec / team->max_usec;
	struct sw_evidence evidence = {
		"load balance: mean / largest share", balance, "ratio",
		setting[MAX_BALANCE_RATIO], SW_MISSING,
	};
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "cpu.imbalance", SW_WARNING,
				 SW_PROBABLE, &evidence);
	if (!finding)
		return -1;
	if (team->polled > 0)
		sw_finding_evidence(finding, &(struct sw_evidence){
			"programs.mpi_usec / cpu_usec", team->polled, "ratio",
			NAN, SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"largest share", team->max_usec / SW_USEC_PER_SEC,
		"seconds", NAN, SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"mean share", team->mean_usec / SW_USEC_PER_SEC,
		"seconds", NAN, SW_MISSING });
	sw_finding_subject(finding, "step");
	finding->wasted_core_hours = lost / 3600;
	say(finding, team, lost);
	return 0;
}

/* Limit the loss to the CPUs that the step held and did not use. */
static double lost_seconds(const struct sw_view *view, const struct team *team)
{
	double lost = team->cpus * team->max_usec -
		      (double)team->count * team->mean_usec;

	if (team->polled > 0)
		return lost / SW_USEC_PER_SEC;
	return fmin(lost, view->cpu.allocated_cores *
			  (double)view->elapsed_usec -
			  sw_real_u64(view->cpu.used_usec)) /
	       SW_USEC_PER_SEC;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct team team = find_team(view);
	struct sw_loss loss = { .sure = SW_PROBABLE };
	double lost;

	if (team.count < 2 || !(team.max_usec > 0) ||
	    !(team.busy >= setting[MIN_BUSY_RATIO]) ||
	    team.mean_usec > setting[MAX_BALANCE_RATIO] * team.max_usec)
		return 0;
	team.cpus = fmin((double)team.count, view->cpu.allocated_cores);
	lost = lost_seconds(view, &team);
	loss.usec = fmin(team.max_usec, (double)view->elapsed_usec);
	loss.cpus = lost * SW_USEC_PER_SEC / loss.usec /
		    view->cpu.allocated_cores;
	if (!sw_is_worth_telling(view, &loss, setting))
		return 0;
	return tell(&team, lost, setting, findings);
}

static const char *blind_to(const struct sw_view *view)
{
	if (view->task_count >= 2 && !busiest_task(view))
		return "the CPU time of the single tasks is not known";
	return NULL;
}

const struct sw_rule sw_rule_cpu_imbalance = {
	.id = "cpu.imbalance",
	.title = "Work unevenly shared",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The tasks (MPI ranks) of a step, or the processes of one program that "
	"run side by side, had unequal shares of the work. Tasks that finish "
	"early hold their CPUs while they wait for the last one.",
	.what_to_do =
	"Distribute the work evenly or dynamically: more pieces than workers, "
	"the longest first.",
	.computed =
	"The load balance of the POP metrics (pop-coe.eu, \"Load Balance "
	"Efficiency\"): mean CPU time over the largest. The loss is the sum of "
	"the differences from the largest (imbalance time in L. DeRose and "
	"others, Euro-Par 2007). It is reported when the balance is at most "
	"max_balance_ratio, the busiest task was busy for min_busy_ratio, and "
	"the loss reaches min_lost_ratio and min_lost_seconds. Example: two "
	"processes that compute for 3 s and 12 s have a balance of 0.63 and "
	"lose 9 core-seconds.\n\n"
	"CPU time is that of each task on this node (its cgroup, or its "
	"processes). In a step of one task it is one of these: (a) the time at "
	"work (CPU time and waits for a CPU) of a program that did four fifths "
	"of the work, in processes that all ran at the same time, of which the "
	"longest ran alone at the end and counts as busy; (b) that of workers "
	"(series.runnable: single-threaded processes, or threads of one name), "
	"of which samples saw two or more run, and then one of these alone "
	"until the end of the run; (c) that of the threads of the process that "
	"did four fifths of the work (threads with a tenth of the busiest "
	"one's CPU time or more), where the others had at most half of the "
	"busiest one's CPU time on average, they used more than 1.1 CPUs "
	"together, the step wanted the same number of CPUs throughout, within "
	"a quarter, and four fifths of the time that the other threads did not "
	"run were waits for a lock, as barriers are.\n\n"
	"A single task that used a twentieth of the busiest one's CPU time or "
	"less is taken for a coordinator. Nothing is reported where a signal "
	"ended the step while one task was busy and all others did nothing: "
	"they may have waited for each other.\n\n"
	"MPI that polls while it waits uses CPU time, which hides an "
	"imbalance. In processes started by an MPI launcher (mpirun, mpiexec), "
	"and in steps of several tasks, BPF samples 20 times per second of CPU "
	"time whether the process is in MPI's libraries (programs.mpi_usec, "
	"from Linux 5.17 on); the rest counts as computing. Nothing is "
	"reported where half of the CPU time was spent there and the share of "
	"each rank is unknown.",
	.needs = { { "tasks", "cpu_usage_usec" },
		   { "series.task", "cpu_usec" },
		   { "programs", "cpu_usec" },
		   { "series.runnable", "workers_cpu_usec" } },
	.is_any_need = true,
	.settings = {
		SW_WORTH_SETTINGS,
		{ "max_balance_ratio", 0.75, 0.01, 1,
		  "largest ratio of mean to largest CPU time" },
		{ "min_busy_ratio", 0.7, 0, 1000,
		  "CPUs that the busiest used, on average" },
	},
	.eval = eval,
	.blind_to = blind_to,
};

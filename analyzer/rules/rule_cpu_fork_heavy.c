/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.fork_heavy: most of the time was spent on starting programs. */
#include <math.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "common/delta.h"
#include "common/units.h"

enum {
	MIN_PROCESSES_PER_SECOND,
	MIN_PROCESSES,
	MAX_PROCESS_MSEC,
	MIN_CPU_RATIO,
	MIN_STEPS
};

/* Short processes, and their share of the CPU time. */
struct sum {
	double started, cpu_usec;
	const struct sw_view_program *most;	/* the most frequent one */
};

static struct sum add_short(const struct sw_view *view, double usec_max)
{
	struct sum sum = { 0, 0, NULL };
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (sw_is_missing(program->started) || program->started == 0 ||
		    sw_is_missing(program->cpu_usec) ||
		    (double)program->cpu_usec / (double)program->started >
			    usec_max)
			continue;
		sum.started += (double)program->started;
		sum.cpu_usec += (double)program->cpu_usec;
		if (!sum.most || program->started > sum.most->started)
			sum.most = program;
	}
	return sum;
}

static int tell(const struct sw_view *view, const struct sum *sum,
		double per_second, double threshold,
		struct sw_findings *findings)
{
	double share = sum->cpu_usec / (double)view->cpu.used_usec;
	struct sw_evidence evidence = { "short processes started",
					per_second, "per second", threshold,
					SW_MISSING };
	struct sw_finding *finding;
	char name[64];

	finding = sw_finding_add(findings, "cpu.fork_heavy", SW_WARNING, 0.7,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"CPU time of short processes / all", share, "ratio", NAN,
		SW_MISSING });
	sw_finding_name(name, sizeof(name), sum->most->name);
	sw_finding_subject(finding, "step");
	sw_finding_sentence(finding,
		"The step started %.0f short processes, %.0f a second, which "
		"took %.0f %% of its CPU time, %s of it each, most of that "
		"for starting them; %s alone was started %llu times. Let the "
		"shell or one program do the loop (bash's own arithmetic and "
		"string operations, awk, xargs with many arguments, Python).",
		sum->started, per_second, share * 100,
		sw_duration_text(sw_whole_real(sum->cpu_usec / sum->started)).s,
		name, (unsigned long long)sum->most->started);
	return 0;
}

/* Return srun's CPU time in a batch script; SW_MISSING if srun was not seen. */
static uint64_t srun_usec(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (!strcmp(view->programs[i].name, "srun"))
			return view->programs[i].cpu_usec;
	}
	return SW_MISSING;
}

static int tell_steps(const struct sw_view *view, uint64_t srun, uint64_t total,
		      const double *setting, struct sw_findings *findings)
{
	const struct sw_view_slurm *slurm = &view->slurm;
	double share = (double)srun / (double)total;
	struct sw_evidence evidence = { "CPU time of srun / all of the job",
					share, "ratio", setting[MIN_CPU_RATIO],
					SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "cpu.fork_heavy", SW_WARNING, 0.9,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_evidence(
		finding, &(struct sw_evidence){
				 "steps started", (double)slurm->launched_steps,
				 "count", setting[MIN_STEPS], SW_MISSING });
	finding->title = "Most CPU time went into starting steps";
	sw_finding_subject(finding, "program srun");
	sw_finding_sentence(
		finding,
		"srun used %s of the job's %s of CPU time (%.0f %%) to start "
		"%llu steps, %s for each; the steps themselves used %s. Start "
		"fewer steps: put the loop into one step (a script, xargs -P, "
		"GNU parallel), or run short programs without srun.",
		sw_duration_text(srun).s, sw_duration_text(total).s,
		share * 100, (unsigned long long)slurm->launched_steps,
		sw_duration_text(srun / slurm->launched_steps).s,
		sw_duration_text(slurm->launched_cpu_usec).s);
	return 0;
}

/* Evaluate Slurm steps that cost more to start than to run. */
static int eval_steps(const struct sw_view *view, const double *setting,
		      struct sw_findings *findings)
{
	uint64_t srun = srun_usec(view);
	uint64_t total =
		sw_add_u64(view->cpu.used_usec, view->slurm.launched_cpu_usec);

	if (view->slurm.launched_steps == 0 ||
	    (double)view->slurm.launched_steps < setting[MIN_STEPS] ||
	    sw_is_missing(srun) || sw_is_missing(total) || total == 0 ||
	    (double)srun < setting[MIN_CPU_RATIO] * (double)total)
		return 0;
	return tell_steps(view, srun, total, setting, findings);
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct sum sum = add_short(view, setting[MAX_PROCESS_MSEC] * 1000);
	double per_second;

	if (sw_is_missing(view->elapsed_usec) || view->elapsed_usec == 0 ||
	    sw_is_missing(view->cpu.used_usec) || view->cpu.used_usec == 0)
		return 0;
	per_second = sum.started * SW_USEC_PER_SEC /
		     (double)view->elapsed_usec;
	if (sum.started < setting[MIN_PROCESSES] ||
	    per_second < setting[MIN_PROCESSES_PER_SECOND] ||
	    sum.cpu_usec <
		    setting[MIN_CPU_RATIO] * (double)view->cpu.used_usec)
		return eval_steps(view, setting, findings);
	return tell(view, &sum, per_second,
		    setting[MIN_PROCESSES_PER_SECOND], findings);
}

const struct sw_rule sw_rule_cpu_fork_heavy = {
	.id = "cpu.fork_heavy",
	.title = "A script that starts thousands of programs",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_PROGRAMS,
	.meaning =
	"A script spent its time starting short programs. Each costs a fork, "
	"an exec, its libraries and its exit, about a millisecond of CPU time, "
	"before it does any work.",
	.what_to_do =
	"Do the loop inside one program. In bash, $((i + 1)) replaces expr and "
	"${path##*/} replaces basename; awk or Python replace chains of grep, "
	"cut and sed for each line; xargs without -n starts one program for "
	"many files. Combine many short steps into one, which runs its "
	"commands without srun.",
	.computed =
	"From the table of programs: processes of programs whose mean CPU time "
	"is at most max_process_msec. Reported when there were min_processes "
	"of them and min_processes_per_second of the elapsed time, and they "
	"took min_cpu_ratio of the step's CPU time. Also reported in the batch "
	"script of a job of at least min_steps steps, when srun used "
	"min_cpu_ratio of the CPU time of the script and its steps: srun needs "
	"much more CPU time than a shell does to start a program.",
	.needs = { { "programs", "started" } },
	.settings = {
		{ "min_processes_per_second", 50, 1, 1e6,
		  "fewer are not reported" },
		{ "min_processes", 1000, 1, 1e9, "in all" },
		{ "max_process_msec", 10, 0.1, 1e6,
		  "mean CPU time of a short program's process" },
		{ "min_cpu_ratio", 0.5, 0.01, 1,
		  "their share of the step's CPU time" },
		{ "min_steps", 50, 1, 1e9, "steps that srun started" },
	},
	.eval = eval,
};

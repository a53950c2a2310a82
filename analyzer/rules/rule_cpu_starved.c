/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.starved: others ran on the step's CPUs. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

static const char *const causes[] = { "place.too_few_cpus", NULL };

/*
 * Threads that take turns run one after another in any case; lock.contended
 * reports the time that others took from them.
 */
static bool is_rather_in_turn(const struct sw_view *view, double share)
{
	return sw_limit_ratio(&view->limits, SW_LIMIT_TURNS) > share;
}

/* Format " (0.1 of them the recorder of stepwell)"; "" if little. */
static const char *say_recorder(const struct sw_view *view, char *text,
				size_t size)
{
	double usec = sw_real_u64(view->recording.recorder_cpu_usec);

	text[0] = '\0';
	if (usec >= SW_HARDLY *
			    sw_real_u64(view->nearby.around.other_usec))
		snprintf(text, size, " (%.2f of them the recorder of stepwell)",
			 usec / sw_real_u64(view->elapsed_usec));
	return text;
}

/* Format ", of which other jobs used 5.8"; "" if unknown. */
static const char *say_jobs(const struct sw_view *view, char *text, size_t size)
{
	uint64_t usec = view->nearby.around.other_jobs_usec;

	text[0] = '\0';
	if (!sw_is_missing(usec))
		snprintf(text, size, ", of which other jobs used %.1f",
			 sw_real_u64(usec) / sw_real_u64(view->elapsed_usec));
	return text;
}

/* Describe the processes that had the CPUs, as far as they are known. */
static const char *say_others(const struct sw_view *view, char *text,
			      size_t size)
{
	const struct sw_view_surroundings *around = &view->nearby.around;
	char recorder[64], jobs[48];

	if (isnan(sw_others_ratio(around)))
		snprintf(text, size, "other processes had its CPUs; which ones "
			 "was not recorded");
	else
		snprintf(text, size, "other processes of the node had its "
			 "CPUs: they used %.1f CPUs on average%s%s",
			 sw_real_u64(around->other_usec) /
				 sw_real_u64(view->elapsed_usec),
			 say_recorder(view, recorder, sizeof(recorder)),
			 say_jobs(view, jobs, sizeof(jobs)));
	return text;
}

/* Advise from what was seen only: how the node separates jobs is not known. */
static const char *remedy_of(const struct sw_view *view)
{
	double jobs = sw_ratio_u64(view->nearby.around.other_jobs_usec,
				   view->nearby.around.other_usec);

	if (!view->slurm.is_slurm)
		return "Look at what else runs there (top).";
	if (jobs >= SW_MAINLY)
		return "Ask your administrators whether other jobs may run on "
		       "its CPUs.";
	if (jobs <= 1 - SW_MAINLY)
		return "Ask your administrators which service of the system, "
		       "or login, ran on this node.";
	return "Ask your administrators what else runs on this node: another "
	       "job, or a service of the system.";
}

static void say(struct sw_finding *finding, const struct sw_view *view,
		enum sw_cpu_taker taker, double share)
{
	static const char slow[] = "The run took longer than it needed to, and "
				   "says little about its own speed.";
	const struct sw_view_surroundings *around = &view->nearby.around;
	double percent = share * 100;
	char others[256];

	if (taker == SW_TAKEN_BY_HOST)
		sw_finding_sentence(finding,
			"For %.0f %% of the time threads of the step were "
			"ready to run and got no CPU. The node is a virtual "
			"machine, and its host used %.0f %% of the node's CPU "
			"time for something else (steal), more than other "
			"processes on the node did. %s Tell your "
			"administrators: the host has fewer CPUs than it "
			"promises.",
			percent, sw_stolen_ratio(around) * 100, slow);
	else if (taker == SW_TAKEN_UNSEEN)
		sw_finding_sentence(finding,
			"For %.0f %% of the time threads of the step were "
			"ready to run and got no CPU. The recording does not "
			"show why: other processes used only %.0f %% of the "
			"node's CPU time. If the node is a virtual machine, "
			"its host may have used the CPUs. %s",
			percent, sw_others_ratio(around) * 100, slow);
	else
		sw_finding_sentence(finding,
			"For %.0f %% of the time threads of the step were "
			"ready to run, and %s. %s %s", percent,
			say_others(view, others, sizeof(others)), slow,
			remedy_of(view));
}

/* Add the node's CPU use and losses outside of the step, as far as known. */
static void add_surroundings(struct sw_finding *finding,
			     const struct sw_view_surroundings *around)
{
	double others = sw_others_ratio(around);
	double stolen = sw_stolen_ratio(around);

	if (!isnan(others))
		sw_finding_evidence(finding, &(struct sw_evidence){
			"CPU time of others / of the node", others, "ratio",
			NAN, SW_MISSING });
	if (!isnan(stolen))
		sw_finding_evidence(finding, &(struct sw_evidence){
			"series.node steal / CPU time of the node", stolen,
			"ratio", NAN, SW_MISSING });
}

/* Upper bound of stepwell's own use. */
static double own_usec(const struct sw_view *view)
{
	return (double)sw_zero_if_missing(view->recording.recorder_cpu_usec);
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_surroundings *around = &view->nearby.around;
	double share = sw_limit_ratio(&view->limits, SW_LIMIT_NEIGHBORS);
	uint64_t lost_usec = view->limits.usec[SW_LIMIT_NEIGHBORS];
	enum sw_cpu_taker taker = sw_cpu_taker(around, lost_usec);
	struct sw_loss loss = sw_loss_by(view, SW_LIMIT_NEIGHBORS,
					 taker == SW_TAKEN_UNSEEN ? 0.5 : 0.7);
	struct sw_evidence evidence = { "time lost to other programs / elapsed",
					share, "ratio",
					sw_worth_ratio(&loss, setting),
					SW_MISSING };
	struct sw_finding *finding;

	loss.usec -= own_usec(view);
	if (!sw_is_worth_telling(view, &loss, setting) ||
	    is_rather_in_turn(view, share))
		return 0;
	finding = sw_finding_add(findings, "cpu.starved", SW_WARNING,
				 loss.sure, &evidence);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"run_queue_wait", sw_real_u64(view->cpu.run_queue_wait_usec) /
		SW_USEC_PER_SEC, "seconds", NAN, SW_MISSING });
	add_surroundings(finding, around);
	sw_finding_subject(finding, "step");
	say(finding, view, taker, share);
	return 0;
}

const struct sw_rule sw_rule_cpu_starved = {
	.id = "cpu.starved",
	.title = "Starved of CPUs",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"Threads of the step were ready to run and did not, because others had "
	"the CPUs: other programs on the node, the system, or the host of a "
	"virtual machine.",
	.what_to_do =
	"See what else runs on the node (top; a service, another job), whether "
	"jobs there are bound to their CPUs, and what else its host runs. Do "
	"not judge the program's speed by this run.",
	.computed =
	"From run_delay of the kernel's sched_info between samples. Where the "
	"threads that ran or were ready to are no more than the CPUs of the "
	"step, or than those that they are bound to (series.runnable; with a "
	"tolerance of a tenth), the share of threads that waited is the share "
	"of the interval that was lost. Where they are more, it is the share "
	"of these CPUs that they did not get, if it is known which CPUs they "
	"are bound to. Reported when the time lost reaches min_lost_ratio and "
	"min_lost_seconds, not counting the CPU time of stepwell's recorder.\n\n"
	"Threads that take turns at a lock lose at most the time in which none "
	"of them ran; where they take turns for more of the run than that, "
	"lock.contended is reported and names the loss. Time in which a CPU "
	"quota was used up is cpu.throttled; threads that wait for each other "
	"are cpu.oversubscribed. Where the node is a virtual machine whose "
	"host took a twentieth of its CPU time (steal in /proc/stat; "
	"proc_stat(5)), and more than other processes used, the host is named. "
	"Where other programs and the host together used less than half of the "
	"time that was lost, neither is named, and the finding is less "
	"certain. The CPU time of other jobs is named where each job has its "
	"own cgroup (series.job_cpu).",
	.needs = { { "series.proc", "run_queue_wait_usec" } },
	.settings = { SW_WORTH_SETTINGS },
	.yields_to = causes,
	.eval = eval,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.spinning: a program waited without pausing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "common/units.h"

enum { MIN_SECONDS, MIN_CPU_RATIO, MIN_MPI_RATIO };

/* With a third or more of its CPU time in one call, little else is likely.
 * Chosen by hand. */
static const double MOSTLY_CALLING = 0.3;

/* Calls that busy-waiting programs repeat: their purpose, and the remedy. */
static const struct {
	const char *call, *words, *remedy;
} calls[] = {
	{ "read", "read", "wait until there is more to read (tail -F, poll)" },
	{ "wait4", "asked whether a child has ended",
	  "wait for the child's end (wait without WNOHANG)" },
	{ "waitid", "asked whether a child has ended",
	  "wait for the child's end (waitid without WNOHANG)" },
	{ "kill", "asked whether a process is still there",
	  "sleep between two questions, or wait for the process's end" },
	{ "poll", "checked for events", "give poll a time to wait" },
	{ "ppoll", "checked for events", "give ppoll a time to wait" },
	{ "select", "checked for events", "give select a time to wait" },
	{ "pselect6", "checked for events", "give select a time to wait" },
	{ "epoll_wait", "checked for events", "give epoll_wait a time to wait" },
	{ "epoll_pwait", "checked for events", "give epoll_wait a time to wait" },
	{ "mkdir", "tried to make", "sleep between two attempts, or use flock" },
	{ "mkdirat", "tried to make", "sleep between two attempts, or use flock" },
};

enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

static const char *words_of(const char *call, const char **remedy)
{
	size_t i;

	for (i = 0; i < CALLS; i++) {
		if (strcmp(calls[i].call, call) != 0)
			continue;
		*remedy = calls[i].remedy;
		return calls[i].words;
	}
	*remedy = "sleep between two checks, wait for the file with "
		  "inotifywait, or submit what needs it as a job that depends "
		  "on the one that makes it";
	return "looked for";
}

static int tell(const struct sw_view_program *program, double threshold,
		struct sw_findings *findings)
{
	double seconds = (double)program->spin_usec / SW_USEC_PER_SEC;
	double in_call = sw_ratio_u64(program->spin_call_usec,
				      program->spin_usec);
	const char *remedy, *words = words_of(program->spin_call, &remedy);
	char name[SW_FINDING_NAME_SIZE], path[SW_FINDING_NAME_SIZE] = "";
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "progress.spinning", SW_WARNING,
				 in_call >= MOSTLY_CALLING ? 0.9 : 0.7,
				 &(struct sw_evidence){
		"programs.spin_usec", seconds, "seconds", threshold,
		SW_MISSING });
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"programs.spin_call_usec / spin_usec", in_call, "ratio", NAN,
		SW_MISSING });
	finding->wasted_core_hours = seconds / 3600;
	sw_finding_name(name, sizeof(name), program->name);
	snprintf(finding->subject, sizeof(finding->subject), "program %.100s",
		 name);
	if (program->spin_object)
		sw_finding_path(path, sizeof(path), program->spin_object);
	sw_finding_sentence(finding,
		"%s %s%s%s repeatedly, without a pause: for at least %s of CPU "
		"time it read and wrote next to nothing, and nearly all its "
		"system calls were this one (%s; %.0f %% of the samples were "
		"in it). It was probably waiting: %s.",
		name, words, path[0] ? " " : "", path,
		sw_duration_text(program->spin_usec).s, program->spin_call,
		in_call * 100, remedy);
	return 0;
}

static bool has_exchanged(const struct sw_view_network *network)
{
	return sw_zero_if_missing(network->received_bytes) +
		       sw_zero_if_missing(network->loopback_received_bytes) >
	       SW_MESSAGES_BYTES;
}

/*
 * No rank computed, and all were killed from outside.  Messages through shared
 * memory are not visible, so a benchmark of them looks the same.
 */
static bool is_stuck_in_mpi(const struct sw_view *view,
			    const struct sw_view_program *program,
			    const double *setting)
{
	double cpu = sw_real_u64(program->cpu_usec);
	double mean = cpu / sw_real_u64(program->mpi_processes);

	return !sw_is_missing(program->mpi_processes) &&
	       program->mpi_processes >= 2 &&
	       program->ended == program->mpi_processes &&
	       program->killed == program->ended &&
	       cpu >= setting[MIN_SECONDS] * SW_USEC_PER_SEC &&
	       (double)program->mpi_usec >= setting[MIN_MPI_RATIO] * cpu &&
	       (double)program->mpi_least_usec >=
		       setting[MIN_MPI_RATIO] * mean &&
	       !has_exchanged(&view->network);
}

static int tell_mpi(const struct sw_view_program *program, double threshold,
		    struct sw_findings *findings)
{
	double share = sw_ratio_u64(program->mpi_usec, program->cpu_usec);
	char name[SW_FINDING_NAME_SIZE], all[32] = "Both";
	struct sw_finding *finding;

	if (program->mpi_processes > 2)
		snprintf(all, sizeof(all), "All %llu",
			 (unsigned long long)program->mpi_processes);
	finding = sw_finding_add(findings, "progress.spinning", SW_WARNING,
				 0.5, &(struct sw_evidence){
		"programs.mpi_usec / CPU time", share, "ratio", threshold,
		SW_MISSING });
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"programs.mpi_processes", (double)program->mpi_processes,
		"count", NAN, SW_MISSING });
	finding->wasted_core_hours = (double)program->mpi_usec /
				     SW_USEC_PER_SEC / 3600;
	sw_finding_name(name, sizeof(name), program->name);
	snprintf(finding->subject, sizeof(finding->subject), "program %.100s",
		 name);
	sw_finding_sentence(finding,
		"%s ranks of %s spent %.0f %% of their CPU time in MPI, "
		"which polls while it waits, and were then ended by a signal. "
		"They may have waited for each other: look for a receive "
		"without a send, or a collective call that one rank does not "
		"reach. Messages between ranks of a node were not recorded.",
		all, name, share * 100);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];
		double usec = (double)sw_zero_if_missing(program->spin_usec);

		if (is_stuck_in_mpi(view, program, setting) &&
		    tell_mpi(program, setting[MIN_MPI_RATIO], findings) < 0)
			return -1;
		if (!program->spin_call ||
		    usec < setting[MIN_SECONDS] * SW_USEC_PER_SEC ||
		    usec < setting[MIN_CPU_RATIO] *
				   (double)sw_zero_if_missing(
					   view->cpu.used_usec))
			continue;
		if (tell(program, setting[MIN_SECONDS], findings) < 0)
			return -1;
	}
	return 0;
}

const struct sw_rule sw_rule_progress_spinning = {
	.id = "progress.spinning",
	.title = "Waiting without a pause",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_PROGRAMS,
	.meaning =
	"A program that waits for a file, a child or a peer by asking for it "
	"repeatedly, without a pause, uses a whole CPU and does no work.",
	.what_to_do =
	"Let the program sleep between two checks, or use a call that waits.",
	.computed =
	"From BPF samples, 100 for each second of CPU time, of a process that "
	"has used a CPU for two seconds and hardly read, wrote or faulted. A "
	"sample holds the system call that the process is in and its object: "
	"the path, or the descriptor. The process spins if at least 9 of 10 "
	"samples in system calls are the same question, and 15 % of all "
	"samples are in a call; 3 % for a shell, which interprets much between "
	"two calls. Reported from min_seconds of such CPU time on, if that is "
	"at least min_cpu_ratio of the step's. MPI ranks are not judged this "
	"way: they are reported, with low confidence, where each spent "
	"min_mpi_ratio of its CPU time or more in MPI's libraries, signals "
	"ended them all, and at most 1 MiB was received over the network. A "
	"program that spins in its own code, without asking the kernel, cannot "
	"be told from one that computes.",
	.needs = { { "programs", "spin_usec" }, { "programs", "mpi_usec" } },
	.is_any_need = true,
	.settings = {
		{ "min_seconds", 5, 1, 1e9, "less CPU time is not reported" },
		{ "min_cpu_ratio", 0.05, 0, 1,
		  "smallest share of the step's CPU time that is reported" },
		{ "min_mpi_ratio", 0.75, 0.5, 1,
		  "share of the CPU time of ranks that was spent in MPI" },
	},
	.eval = eval,
};

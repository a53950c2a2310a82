/* SPDX-License-Identifier: GPL-2.0-or-later */
/* program.killed: a program inside the step was killed by a signal. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/rules/cause_words.h"
#include "analyzer/rules/cut_off.h"
#include "analyzer/rules/rule_program.h"
#include "analyzer/rules/step_failure.h"
#include "analyzer/rules/workers.h"
#include "common/delta.h"
#include "common/units.h"

enum { MIN_KILLED, MIN_CPU_SECONDS, MIN_IO_BYTES };

/*
 * Count kills that matter.  SIGPIPE and SIGTERM end programs in normal
 * pipelines, and kills sent by another process of the job or by Ctrl-C are
 * intended.  timeout(1) ends itself like its command, and sleep(1) has no work
 * to lose.
 */
static uint64_t worrying(const struct sw_view *view,
			 const struct sw_view_program *program)
{
	uint64_t killed = program->killed;

	if (sw_is_missing(killed) || !strcmp(program->name, "timeout") ||
	    !strcmp(program->name, "sleep"))
		return 0;
	killed = sw_excess_u64(killed, sw_zero_if_missing(program->oom_killed));
	killed = sw_excess_u64(killed,
			       sw_zero_if_missing(program->signal_term));
	if ((program->last_signal == SIGPIPE ||
	     program->last_signal == view->interrupt_signal) &&
	    killed > 0 && program->signal_other == killed)
		killed = 0;
	return sw_excess_u64(killed,
			     sw_zero_if_missing(program->killed_by_job));
}

/* SIGSEGV before SIGABRT; of other signals only the last one is known. */
static uint64_t crashes_or_all(const struct sw_view_program *program)
{
	if (sw_zero_if_missing(program->signal_segv) > 0)
		return program->signal_segv;
	if (sw_zero_if_missing(program->signal_abrt) > 0)
		return program->signal_abrt;
	return SW_MISSING;
}

/* Grades of work lost with the killed processes. */
enum weight { NO_WORK, UNKNOWN_WORK, ASSERTED, WORK };

/*
 * Return true for a test that expects the program to abort: other processes of
 * it succeed, and those that aborted had hardly begun.
 */
static bool is_asserted(const struct sw_view *view,
			const struct sw_view_program *program, uint64_t killed,
			double min_cpu_seconds)
{
	double cpu_seconds = sw_program_most(program->killed_cpu_usec,
					     program->cpu_usec, program) /
			     SW_USEC_PER_SEC;

	return view->state == SW_STATE_COMPLETED &&
	       program->signal_abrt == killed &&
	       sw_zero_if_missing(program->exited_ok) > 0 &&
	       cpu_seconds < min_cpu_seconds &&
	       !sw_failed_equals(view, program, false);
}

/*
 * Scripts SIGKILL helpers that watch something or probe the system.  Those use
 * hardly any CPU time and move hardly any data.
 */
static enum weight weigh(const struct sw_view *view,
			 const struct sw_view_program *program,
			 uint64_t killed, const double *setting)
{
	double cpu_seconds =
		sw_program_most(program->killed_cpu_usec, program->cpu_usec,
				program) /
		SW_USEC_PER_SEC;
	double bytes = sw_program_most(program->killed_bytes,
				       sw_add_u64(program->call_read_bytes,
						  program->call_written_bytes),
				       program);

	if (is_asserted(view, program, killed, setting[MIN_CPU_SECONDS]))
		return ASSERTED;
	if (view->state != SW_STATE_COMPLETED ||
	    sw_excess_u64(sw_zero_if_missing(program->signal_kill),
			  sw_zero_if_missing(program->killed_by_job)) <
		    killed ||
	    isnan(cpu_seconds) || cpu_seconds >= setting[MIN_CPU_SECONDS])
		return WORK;
	if (isnan(bytes))
		return UNKNOWN_WORK;
	return bytes < setting[MIN_IO_BYTES] ? NO_WORK : WORK;
}

static void signal_text(char *buf, size_t size, uint64_t number)
{
	const char *name = NULL;

	if (number > 0 && number < 65)
		name = sigabbrev_np((int)number);
	if (name)
		snprintf(buf, size, "SIG%s", name);
	else
		snprintf(buf, size, "a signal");
}

/* Return the signal of the kills that count; the last one may be a SIGTERM. */
static uint64_t signal_of(const struct sw_view_program *program,
			  uint64_t killed)
{
	if (sw_zero_if_missing(program->signal_segv) == killed)
		return SIGSEGV;
	if (sw_zero_if_missing(program->signal_abrt) == killed)
		return SIGABRT;
	if (program->signal_kill == killed)
		return SIGKILL;
	return program->last_signal == SIGTERM ? SW_MISSING :
						 program->last_signal;
}

/*
 * Format "; it could not open /ref/genome.fa: no such file".  It may explain a
 * crash, unless the cause belongs to a process that exited.
 */
static void why_words(char *buf, size_t size,
		      const struct sw_view_program *program, uint64_t signal)
{
	char why[SW_CAUSE_WORDS_SIZE] = "";

	buf[0] = '\0';
	if (sw_signal_is_crash(signal) &&
	    sw_zero_if_missing(sw_program_failures(program)) == 0)
		sw_cause_words(why, sizeof(why), "it", program);
	if (signal == SIGABRT && !sw_program_has_cause(program))
		snprintf(buf, size, "; a program ends itself so after a failed "
			 "assertion or an uncaught exception");
	else if (signal == SIGXCPU)
		snprintf(buf, size, "; the kernel sends it to a program that "
			 "reached its limit on CPU time (ulimit -t)");
	else if (signal == SIGXFSZ)
		snprintf(buf, size, "; the kernel sends it to a program that "
			 "reached its limit on the size of files (ulimit -f)");
	else if (*why)
		snprintf(buf, size, "; %s", why);
}

/* Format " once (of 4 processes)"; "" if there was only one process. */
static void format_count(char *buf, size_t size,
			 const struct sw_view_program *program, uint64_t killed)
{
	char times[32] = "once";

	buf[0] = '\0';
	if (killed > 1)
		snprintf(times, sizeof(times), "%llu times",
			 (unsigned long long)killed);
	if (sw_is_missing(program->started))
		snprintf(buf, size, " %s", times);
	else if (program->started > 1)
		snprintf(buf, size, " %s (of %s%llu processes)", times,
			 program->is_complete ? "" : "at least ",
			 (unsigned long long)program->started);
}

/* A crash needs no sender; that of other signals may be unknown. */
static bool is_sender_unknown(const struct sw_view_program *program,
			      uint64_t signal)
{
	return sw_is_missing(program->killed_by_job) && !sw_signal_is_crash(signal) &&
	       signal != SIGXCPU && signal != SIGXFSZ;
}

/* ", sent from outside the job" */
static const char *sender_words(const struct sw_view_program *program,
				uint64_t killed, uint64_t signal)
{
	if (sw_zero_if_missing(program->killed_by_other) >= killed)
		return ", sent from outside the job";
	return is_sender_unknown(program, signal) ?
		", and who sent it was not recorded" : "";
}

static uint64_t first_kill_usec(const struct sw_view *view,
				const struct sw_view_program *program,
				uint64_t signal)
{
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (!strcmp(event->kind, "killed") && event->program &&
		    !strcmp(event->program, program->name) &&
		    (event->value == signal || sw_is_missing(signal)))
			return event->time_usec;
	}
	/* Events beyond a maximum are not recorded. */
	return sw_zero_if_missing(sw_program_failures(program)) == 0
		       ? program->first_failed_usec
		       : SW_MISSING;
}

/* If the sender is unknown, a script may have sent it on purpose. */
static const char *advice(const struct sw_view *view,
			  const struct sw_view_program *program,
			  enum weight weight, uint64_t signal)
{
	if (view->state != SW_STATE_COMPLETED)
		return ". Read its messages first to find out why the step "
		       "failed.";
	if (weight == ASSERTED)
		return ", and other processes of it succeeded: a test may "
		       "expect this; otherwise check that its output is "
		       "complete.";
	return is_sender_unknown(program, signal)
		       ? ": unless the script itself killed it, check that its "
			 "output is complete."
		       : ": check that its output is complete.";
}

/* A process that was ended because another one failed is not the reason. */
static bool has_own_reason(const struct sw_view_program *program,
			   uint64_t signal)
{
	return !sw_signal_is_crash(signal) &&
	       sw_zero_if_missing(sw_program_failures(program)) > 0;
}

/* A kill that no process of the job intended is the worst. */
static enum sw_severity severity_of(const struct sw_view *view,
				    const struct sw_view_program *program,
				    enum weight weight, uint64_t signal)
{
	if (weight == UNKNOWN_WORK || weight == ASSERTED)
		return SW_INFO;
	if (sw_step_has_exited(view) && sw_signal_is_crash(signal))
		return SW_CRITICAL;
	return view->state == SW_STATE_COMPLETED &&
			       !is_sender_unknown(program, signal)
		       ? SW_CRITICAL
		       : SW_WARNING;
}

static int report(const struct sw_view *view,
		  const struct sw_view_program *program, uint64_t killed,
		  enum weight weight, double min_killed,
		  struct sw_findings *findings)
{
	bool is_silent = view->state == SW_STATE_COMPLETED;
	uint64_t number = signal_of(program, killed);
	uint64_t when = first_kill_usec(view, program, number);
	char name[SW_FINDING_NAME_SIZE], signal[32], after[SW_UNITS_TEXT_SIZE],
		place[64] = "", count[96], why[SW_CAUSE_WORDS_SIZE + 4];
	struct sw_finding *finding;
	struct sw_evidence evidence = {
		"processes killed by a signal", (double)killed, "count",
		min_killed, when,
	};

	finding = sw_finding_add(findings, "program.killed",
				 severity_of(view, program, weight, number),
				 is_sender_unknown(program, number) ? 0.6 : 1,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "program %s", program->name);
	signal_text(signal, sizeof(signal), number);
	if (!sw_is_missing(sw_delta_u64(when, view->start_usec)))
		snprintf(place, sizeof(place), "%s %s into the run",
			 killed == 1 ? "," : ", first",
			 sw_duration_format(after, sizeof(after),
					    when - view->start_usec));
	format_count(count, sizeof(count), program, killed);
	why_words(why, sizeof(why), program, number);
	sw_finding_name(name, sizeof(name), program->name);
	if (weight != ASSERTED)
		sw_finding_reason(finding,
				  has_own_reason(program, number) ?
					  SW_REASON_POSSIBLE :
					  SW_REASON_LIKELY,
				  when, "%s was killed by %s%s%s%s", name, signal,
				  count, sender_words(program, killed, number),
				  why);
	sw_finding_sentence(finding, "%s was killed by %s%s%s%s%s%s%s%s", name,
			    signal, count, place,
			    sender_words(program, killed, number), why,
			    is_silent ? ". " : "",
			    is_silent ? sw_record_silence(view) : "",
			    advice(view, program, weight, number));
	return 0;
}

/* Report that everything was killed because the batch script had ended. */
static int report_unawaited(const struct sw_view *view,
			    struct sw_findings *findings)
{
	struct sw_evidence evidence = {
		"tasks ended with the script",
		(double)(view->task_count ? view->task_count : 1), "count", 1,
		view->end_usec,
	};
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "program.killed", SW_CRITICAL, 0.9,
				 &evidence);
	if (!finding)
		return -1;
	finding->title = "The script did not wait for a step";
	sw_finding_subject(finding, "step %s", sw_text(view->step_id));
	sw_finding_reason(finding, SW_REASON_LIKELY, view->end_usec,
			  "Slurm ended step %s with the script, which did not "
			  "wait for it", sw_text(view->step_id));
	sw_finding_sentence(finding, "The batch script ended while step %s "
			    "still ran, and Slurm ends a job with its script: "
			    "the step was cut off. Put \"wait\" behind what "
			    "the script starts in the background (srun ... &).",
			    sw_text(view->step_id));
	return 0;
}

static int eval_program(const struct sw_view *view,
			const struct sw_view_program *program,
			const double *setting, struct sw_findings *findings)
{
	/* Crashes come first: other processes are ended because of them. */
	uint64_t killed =
		sw_min_u64(worrying(view, program), crashes_or_all(program));
	enum weight weight;
	uint64_t when;

	if (killed == 0 || (double)killed < setting[MIN_KILLED])
		return 0;
	weight = weigh(view, program, killed, setting);
	when = first_kill_usec(view, program, signal_of(program, killed));
	/* A launcher's work is that of its step. */
	if (sw_program_is_cut_off(view, program, killed, when) &&
	    (weight != NO_WORK || sw_program_is_messenger(program->name)))
		return sw_cut_off_tell(view, program, killed, when, findings);
	return weight == NO_WORK ? 0
				 : report(view, program, killed, weight,
					  setting[MIN_KILLED], findings);
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	size_t i;

	if (view->slurm.is_unawaited)
		return report_unawaited(view, findings);
	for (i = 0; i < view->program_count; i++) {
		if (eval_program(view, &view->programs[i], setting, findings) <
		    0)
			return -1;
	}
	return 0;
}

const struct sw_rule sw_rule_program_killed = {
	.id = "program.killed",
	.title = "A program was killed by a signal",
	.kind = SW_FINDING_RESULT,
	.basis = SW_BASIS_PROGRAMS,
	.meaning =
	"A program inside the step did not exit by itself: a signal killed it "
	"(SIGSEGV and SIGABRT are crashes; SIGKILL was sent to it). If the "
	"step still reports success, its output may be incomplete.",
	.what_to_do =
	"Read the program's last messages, look for a core file, and let the "
	"script check each command's status.",
	.computed =
	"From the exit records of the step's processes. SIGTERM and SIGPIPE, "
	"which normal scripts and pipelines use to end programs, do not count; "
	"victims of the kernel's OOM killer have findings of their own. BPF "
	"records the sender of a signal: a program killed by another process "
	"of the job, such as timeout, a script or a pool of workers, was meant "
	"to end and does not count, nor does one that its user ended with "
	"Ctrl-C or Ctrl-\\. Where senders were not recorded, signals other "
	"than those of crashes and limits are at most a warning; otherwise "
	"they are critical in a step that reports success. Reported from "
	"min_killed processes of one program on. In a step that reports "
	"success, programs killed by SIGKILL do not count if none of them used "
	"min_cpu_seconds, or read and wrote min_io_bytes (on average, where "
	"the use of each was not recorded): scripts end helpers this way, and "
	"so does GNU parallel with its probes at the start. Where bytes were "
	"not recorded, it is informational; so is a program some of whose "
	"processes succeeded while those that aborted (SIGABRT) used less than "
	"min_cpu_seconds: a test may expect that.\n\n"
	"If a step of a job was killed when its batch script had ended, that "
	"is reported in its place: the script did not wait for it. Other "
	"programs that Slurm killed when the last task of a step had ended are "
	"reported likewise if the step succeeded, and not at all if it failed.",
	.needs = { { "programs", "killed" } },
	.settings = {
		{ "min_killed", 1, 1, 1e9, "killed processes of one program" },
		{ "min_cpu_seconds", 0.1, 0, 1e9,
		  "CPU time of one process that SIGKILL ended" },
		{ "min_io_bytes", 1048576, 0, 1e18,
		  "or bytes that one read and wrote" },
	},
	.eval = eval,
	.blind_to = sw_program_unseen_ends,
};

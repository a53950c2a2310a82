/* SPDX-License-Identifier: GPL-2.0-or-later */
/* program.failed: a program inside the step failed; the step, too, or not. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/rules/cause_words.h"
#include "analyzer/rules/rule_program.h"
#include "analyzer/rules/step_failure.h"
#include "analyzer/view/bottleneck.h"
#include "common/delta.h"
#include "common/units.h"

enum {
	MIN_FAILED, MIN_CPU_SECONDS, MIN_REPEATS, MAX_BEFORE_END_SECONDS,
	MIN_ELAPSED_SECONDS, MIN_PROBES, MIN_TRIES, MIN_WRITTEN_BYTES
};

/* To try it, and to wait for the next time, was so much of the run. */
static const double MOST_OF_RUN = 0.5;

/* Why a failure is more than a question that was answered with no. */
enum weight {
	NO_WEIGHT, NOT_FOUND, WORKED, WROTE, EACH_TIME, IN_VAIN, AT_THE_END,
	PASSED_ON
};

static double seconds(uint64_t usec)
{
	return sw_real_u64(usec) / SW_USEC_PER_SEC;
}

/* On average; how much those that failed took is not recorded. */
static double cpu_seconds_each(const struct sw_view_program *program)
{
	if (sw_is_missing(program->ended) || program->ended == 0)
		return NAN;
	return seconds(program->cpu_usec) / (double)program->ended;
}

/* On average; who only answers a question writes a line. */
static double written_bytes_each(const struct sw_view_program *program)
{
	if (sw_is_missing(program->ended) || program->ended == 0)
		return NAN;
	return sw_real_u64(program->call_written_bytes) /
	       (double)program->ended;
}

static double before_end_seconds(const struct sw_view *view,
				 const struct sw_view_program *program)
{
	return seconds(sw_delta_u64(view->end_usec, program->last_end_usec));
}

/* Exit Status for Commands in POSIX.1-2017, Shell Command Language 2.8.2. */
enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

/* Programs say no so often that trying is what the script is about. */
static bool is_probing(const struct sw_view *view, double min_probes)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (!sw_program_is_shell(program->name))
			count += sw_zero_if_missing(program->exited_nonzero);
	}
	return (double)count >= min_probes;
}

static bool has_such_status(const struct sw_view_program *program)
{
	return program->last_exit_status == STATUS_NOT_FOUND ||
	       program->last_exit_status == STATUS_NOT_EXECUTABLE;
}

/* A program ended so, as of a missing library: a shell may pass that on. */
static bool may_be_passed_on(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (!sw_program_is_shell(view->programs[i].name) &&
		    has_such_status(&view->programs[i]))
			return true;
	}
	return false;
}

/* A shell's child that became no other program. */
static bool is_not_found(const struct sw_view *view,
			 const struct sw_view_program *program,
			 double min_probes)
{
	return sw_program_is_shell(program->name) &&
	       has_such_status(program) && !may_be_passed_on(view) &&
	       !is_probing(view, min_probes);
}

/* It waits for who it ends, and ends then. */
#define TIMED_OUT_USEC (SW_USEC_PER_SEC / 2)

/* timeout(1) asked it to end, and it did so by itself, not by the signal. */
static bool is_timed_out(const struct sw_view *view,
			 const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (!strcmp(other->name, "timeout") &&
		    sw_program_is_answer(other) &&
		    program->exited_nonzero <= other->exited_nonzero &&
		    sw_delta_u64(other->last_end_usec,
				 program->last_end_usec) <= TIMED_OUT_USEC)
			return true;
	}
	return false;
}

/* The run was little else than a loop that tries it, and sleeps. */
static bool is_retried(const struct sw_view *view,
		       const struct sw_view_program *program)
{
	uint64_t usec = sw_delta_u64(program->last_end_usec,
				     program->first_start_usec);

	return sw_ratio_u64(usec, view->elapsed_usec) >= MOST_OF_RUN &&
	       sw_limit_ratio(&view->limits, SW_LIMIT_SLEEP) >= MOST_OF_RUN;
}

/* A step that failed says so by its own command, and by shells around it. */
static bool is_known_already(const struct sw_view *view,
			     const struct sw_view_program *program)
{
	return view->state != SW_STATE_COMPLETED &&
	       (sw_step_is_command(view, program) ||
		sw_program_is_shell(program->name));
}

/* head had read enough, and whoever went on writing to it failed of that. */
static bool is_cut_off(const struct sw_view *view,
		       const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (!strcmp(other->name, "head") &&
		    program->exited_nonzero <=
			    sw_zero_if_missing(other->exited_ok) &&
		    sw_delta_u64(program->last_end_usec,
				 other->last_end_usec) <= TIMED_OUT_USEC)
			return true;
	}
	return false;
}

/* Of a step that failed, what never succeeded may be why. */
enum { TRIED_AGAIN = 2 };

static enum weight weigh(const struct sw_view *view,
			 const struct sw_view_program *program,
			 const double *setting)
{
	double failed = (double)program->exited_nonzero;

	if (sw_is_missing(program->exited_nonzero) || failed == 0 ||
	    failed < setting[MIN_FAILED] || sw_program_is_answer(program) ||
	    is_known_already(view, program) ||
	    is_timed_out(view, program) || is_cut_off(view, program))
		return NO_WEIGHT;
	if (is_not_found(view, program, setting[MIN_PROBES]))
		return NOT_FOUND;
	if (cpu_seconds_each(program) >= setting[MIN_CPU_SECONDS])
		return WORKED;
	if (written_bytes_each(program) >= setting[MIN_WRITTEN_BYTES])
		return WROTE;
	/* What is asked and what is tried now and then may fail. */
	if (!program->is_complete || program->exited_ok != 0 ||
	    sw_program_is_shell(program->name) ||
	    sw_view_is_shorter(view, setting[MIN_ELAPSED_SECONDS]))
		return NO_WEIGHT;
	if (failed >= setting[MIN_REPEATS] ||
	    (view->state != SW_STATE_COMPLETED && failed >= TRIED_AGAIN))
		return EACH_TIME;
	if (failed >= setting[MIN_TRIES] && is_retried(view, program))
		return IN_VAIN;
	return before_end_seconds(view, program) <=
	       setting[MAX_BEFORE_END_SECONDS] ? AT_THE_END : NO_WEIGHT;
}

/* "2 times (of 5 processes; exit status 1 the last time)" */
static void count_words(char *buf, size_t size,
			const struct sw_view_program *program)
{
	const char *at_least = program->is_complete ? "" : "at least ";
	char times[48] = "once", of[64] = "", status[48] = "";

	if (program->exited_nonzero > 1)
		snprintf(times, sizeof(times), "%llu times",
			 (unsigned long long)program->exited_nonzero);
	if (!sw_is_missing(program->started) && program->started > 1)
		snprintf(of, sizeof(of), "of %s%llu processes; ", at_least,
			 (unsigned long long)program->started);
	if (sw_is_missing(program->last_exit_status))
		snprintf(status, sizeof(status), "nonzero exit status");
	else
		snprintf(status, sizeof(status), "exit status %llu%s",
			 (unsigned long long)program->last_exit_status,
			 program->exited_nonzero > 1 ? " the last time" : "");
	snprintf(buf, size, "%s (%s%s)", times, of, status);
}

static void weight_words(char *buf, size_t size, const struct sw_view *view,
			 const struct sw_view_program *program,
			 enum weight weight)
{
	char text[SW_UNITS_TEXT_SIZE];

	buf[0] = '\0';
	if (weight == WORKED)
		snprintf(buf, size, program->ended == 1 ?
			 ", after %s of CPU time" :
			 ", with %s of CPU time each on average",
			 sw_duration_format(text, sizeof(text),
					    program->cpu_usec / program->ended));
	else if (weight == IN_VAIN)
		snprintf(buf, size, ", with pauses between, and never "
			 "succeeded");
	else if (weight == WROTE)
		snprintf(buf, size, program->ended == 1 ?
			 ", after it had written %s" :
			 ", with %s written each on average",
			 sw_size_format(text, sizeof(text),
					program->call_written_bytes /
						program->ended));
	else if (weight == AT_THE_END)
		snprintf(buf, size, ", %s%s before the step's end",
			 program->exited_nonzero > 1 ? "the last one " : "",
			 sw_duration_format(text, sizeof(text),
					    view->end_usec -
						    program->last_end_usec));
}

/* What is known of a command that the shell itself ended for. */
static void say_not_found(struct sw_finding *finding,
			  const struct sw_view *view,
			  const struct sw_view_program *program,
			  const char *why)
{
	bool is_there = program->last_exit_status == STATUS_NOT_EXECUTABLE;
	char name[SW_FINDING_NAME_SIZE], what[80];

	snprintf(what, sizeof(what), "%s%s",
		 is_there ? "cannot be executed" : "does not exist",
		 is_there || sw_program_has_cause(program)
			 ? ""
			 : ", or its interpreter does not");
	sw_finding_sentence(finding,
		"A command that %s was to run %s (exit status %llu%s)%s%s. "
		"%s: unless the script only tries whether it has that command, "
		"a part of its work was not done; \"set -e\" makes a script "
		"stop where a command fails.",
		sw_finding_name(name, sizeof(name), program->name), what,
		(unsigned long long)program->last_exit_status,
		program->exited_nonzero > 1 ? " the last time" : "",
		*why ? "; " : "", why, sw_record_silence(view));
}

static int report(const struct sw_view *view,
		  const struct sw_view_program *program, enum weight weight,
		  double min_failed, struct sw_findings *findings)
{
	char name[SW_FINDING_NAME_SIZE], count[192], how[96],
		why[SW_CAUSE_WORDS_SIZE] = "";
	struct sw_evidence evidence = {
		"processes with a nonzero exit status",
		(double)program->exited_nonzero, "count", min_failed,
		program->last_end_usec,
	};
	bool is_silent = view->state == SW_STATE_COMPLETED;
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "program.failed", SW_WARNING,
				 weight == WORKED || weight == WROTE ||
						 sw_program_has_cause(program)
					 ? 0.7
					 : 0.5,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "program %s", program->name);
	count_words(count, sizeof(count), program);
	weight_words(how, sizeof(how), view, program, weight);
	/* Of those that were killed it may be the reason. */
	if (sw_zero_if_missing(program->killed) == 0)
		sw_cause_words(why, sizeof(why), program->exited_nonzero > 1 ?
			       "one of them" : "it", program);
	if (!*why)
		snprintf(why, sizeof(why), "%s", sw_cause_unrecorded(view));
	if (weight == NOT_FOUND) {
		say_not_found(finding, view, program, why);
		return 0;
	}
	sw_finding_sentence(
		finding,
		"%s failed %s%s%s%s. %s%s",
		sw_finding_name(name, sizeof(name), program->name), count, how,
		*why ? "; " : "", why,
		is_silent ? sw_record_silence(view) : "",
		is_silent ? ": read the program's messages and check that the "
			    "output is complete; \"set -e\" makes a script "
			    "stop where a command fails."
			  : "Read its messages to find out whether this is why "
			    "the step failed.");
	return 0;
}

/* The one program that failed, which it must have the status from; NULL: there
 * are several, or none. */
static const struct sw_view_program *find_sender(const struct sw_view *view)
{
	const struct sw_view_program *sender = NULL;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (sw_zero_if_missing(program->exited_nonzero) == 0 ||
		    sw_program_is_messenger(program->name) ||
		    sw_program_is_answer(program) ||
		    sw_program_is_shell(program->name))
			continue;
		if (sender)
			return NULL;
		sender = program;
	}
	return sender;
}

/* One that a messenger may have the status from is told by itself. */
static bool is_any_told(const struct sw_view *view, const double *setting)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (!sw_program_is_messenger(program->name) &&
		    weigh(view, program, setting) != NO_WEIGHT)
			return true;
	}
	return false;
}

/* What a messenger failed of is told in its place, once. */
static int tell(const struct sw_view *view,
		const struct sw_view_program *program, const double *setting,
		struct sw_findings *findings)
{
	enum weight weight = weigh(view, program, setting);
	const struct sw_view_program *sender;

	if (weight == NO_WEIGHT)
		return 0;
	if (!sw_program_is_messenger(program->name))
		return report(view, program, weight, setting[MIN_FAILED],
			      findings);
	if (is_any_told(view, setting))
		return 0;
	sender = find_sender(view);
	if (!sender)
		return report(view, program, weight, setting[MIN_FAILED],
			      findings);
	return report(view, sender, PASSED_ON, setting[MIN_FAILED], findings);
}

static int tell_all(const struct sw_view *view, const double *setting,
		    struct sw_findings *findings)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (tell(view, &view->programs[i], setting, findings) < 0)
			return -1;
	}
	return 0;
}

/* That the step failed is known; of which program, may not be. */
static int tell_failure(const struct sw_view *view, const double *setting,
			struct sw_findings *findings)
{
	size_t before = findings->count;
	int told = sw_step_failure_tell(view, "program.failed",
					setting[MAX_BEFORE_END_SECONDS],
					findings);

	if (told != 0 || !sw_step_has_exited(view))
		return told < 0 ? -1 : 0;
	if (tell_all(view, setting, findings) < 0)
		return -1;
	if (findings->count > before)
		return 0;
	return sw_step_failure_tell_last(view, "program.failed",
					 setting[MAX_BEFORE_END_SECONDS],
					 findings) < 0 ? -1 : 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	return view->state == SW_STATE_COMPLETED
		       ? tell_all(view, setting, findings)
		       : tell_failure(view, setting, findings);
}

static const char *blind_to(const struct sw_view *view)
{
	return view->state == SW_STATE_COMPLETED ? sw_program_unseen_ends(view)
						 : NULL;
}

const struct sw_rule sw_rule_program_failed = {
	.id = "program.failed",
	.title = "A program failed",
	.kind = SW_FINDING_RESULT,
	.basis = SW_BASIS_PROGRAMS,
	.explain =
	"A program inside the step ended with a nonzero exit status. If the "
	"step ended with 0, as a script without \"set -e\" does, incomplete "
	"results look complete.\n\n"
	"Many programs use the exit status for an answer, and scripts try "
	"things, so most nonzero exit statuses mean nothing. It fires from "
	"min_failed such exits of one program on, where its processes used "
	"min_cpu_seconds of CPU time or wrote min_written_bytes each on "
	"average; or where none of them "
	"exited with 0 in a step of min_elapsed_seconds, and there were "
	"min_repeats of them, or min_tries from the first to the last of "
	"which half of a run passed that slept for half of its time, or the last one exited within "
	"max_before_end_seconds of the step's end. Exempt are the status by "
	"which grep, diff, cmp, test, expr, which, ls, stat and the like say "
	"no, 124 of timeout and what it asked to end (within half a second "
	"before), what ended up to half a second after head, which may have "
	"stopped reading from it, commands that clean up (rm, kill, umount) or "
	"query a terminal, and, of programs that used little CPU time, shells, "
	"which pass on the status of another.\n\n"
	"Where a program that starts others (xargs, parallel, make, env, "
	"srun, mpirun and the like) fails so, it is left out if another "
	"program is reported; and if only one other program failed, that one "
	"is named in its place.\n\n"
	"A shell's child that ended with 127 found no such command, and with "
	"126 could not execute it: this is reported whenever it happens, "
	"unless another program ended so, whose status it may be (a missing "
	"library is 127, too), or other programs ended with a nonzero exit status min_probes "
	"times, as in scripts that try what the system has (configure).\n\n"
	"What a program means by its "
	"status is not known: it may still be an answer.\n\n"
	"If the step failed as well, it says of which program, if it exited "
	"within max_before_end_seconds of the step's end and more is known of "
	"it than its exit status. Else it names the programs that failed as "
	"above, with 2 in place of min_repeats, but not shells and the step's "
	"own command; or otherwise the last program to end, if it ended with "
	"the status that the step then had.\n\n"
	"BPF keeps the last four failed calls of each process where kernel "
	"functions return, and drops one when a later call with the same name "
	"succeeds: a file that could not be opened, a program or interpreter "
	"that could not be executed, a write without space or quota left, "
	"memory or a new process that the kernel refused, a connection that "
	"was refused. Files that most programs can do without (settings, "
	"catalogs of messages, modules) do not count, nor do X displays of the "
	"node, which libraries look for (hwloc, in mpirun). A call is named as what "
	"the program could not do only if the program ended within 5 seconds "
	"and, after a file or a connection, opened nothing to work on. If no "
	"call failed, as with a truncated file, the last file that the "
	"program opened is named instead.\n\n"
	"What to do: read the program's messages, check the output, and let "
	"the script check each command's status (set -euo pipefail).",
	.needs = { { "programs", "exited_nonzero" } },
	.settings = {
		{ "min_failed", 1, 1, 1e9, "failed processes of one program" },
		{ "min_cpu_seconds", 1, 0, 1e9,
		  "CPU time of each process on average" },
		{ "min_repeats", 10, 1, 1e9,
		  "processes with less CPU time, if all of them failed" },
		{ "max_before_end_seconds", 2, 0, 86400,
		  "for fewer processes, from the last exit to the step's end" },
		{ "min_elapsed_seconds", 10, 0, 86400,
		  "length of the step, for programs with less CPU time" },
		{ "min_probes", 3, 1, 1e9,
		  "failures of other programs, for a script that tries "
		  "commands" },
		{ "min_tries", 3, 2, 1e9,
		  "the same, in a run that sleeps between them" },
		{ "min_written_bytes", 1048576, 0, 1e18,
		  "bytes that each process wrote on average, with less CPU "
		  "time" },
	},
	.eval = eval,
	.blind_to = blind_to,
};

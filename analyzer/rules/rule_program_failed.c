/* SPDX-License-Identifier: GPL-2.0-or-later */
/* program.failed: a program in the step failed; perhaps the step as well. */
#include <stdio.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/rules/all_failed.h"
#include "analyzer/rules/cause_words.h"
#include "analyzer/rules/drivers.h"
#include "analyzer/rules/failed_weight.h"
#include "analyzer/rules/inner_failure.h"
#include "analyzer/rules/rule_program.h"
#include "analyzer/rules/step_failure.h"
#include "analyzer/rules/workers.h"
#include "common/delta.h"
#include "common/units.h"

/* Format "(of 5 processes; exit status 1 the last time)". */
static void ends_words(char *buf, size_t size,
		       const struct sw_view_program *program)
{
	const char *at_least = program->is_complete ? "" : "at least ";
	char of[64] = "", status[48] = "";

	if (!sw_is_missing(program->started) && program->started > 1)
		snprintf(of, sizeof(of), "of %s%llu processes; ", at_least,
			 (unsigned long long)program->started);
	if (sw_is_missing(program->last_exit_status))
		snprintf(status, sizeof(status), "nonzero exit status");
	else
		snprintf(status, sizeof(status), "exit status %llu%s",
			 (unsigned long long)program->last_exit_status,
			 sw_program_failures(program) > 1 ? " the last time" :
							    "");
	snprintf(buf, size, "(%s%s)", of, status);
}

/* Format "2 times (of 5 processes; exit status 1 the last time)". */
static void count_words(char *buf, size_t size,
			const struct sw_view_program *program)
{
	uint64_t failures = sw_program_failures(program);
	char times[48] = "once", ends[112];

	if (failures > 1)
		snprintf(times, sizeof(times), "%llu times",
			 (unsigned long long)failures);
	ends_words(ends, sizeof(ends), program);
	snprintf(buf, size, "%s %s", times, ends);
}

/* Format how much work is in doubt, of one process if that is known. */
static void work_words(char *buf, size_t size,
		       const struct sw_view_program *program, bool is_cpu)
{
	uint64_t one = is_cpu ? program->failed_cpu_usec
			      : program->failed_written_bytes;
	uint64_t all = is_cpu ? program->cpu_usec : program->call_written_bytes;
	bool is_of_one =
		!sw_is_missing(one) && !sw_program_is_shell(program->name);
	const char *who =
		is_of_one && sw_program_failures(program) > 1 ? "one of them " : "";
	char amount[SW_UNITS_TEXT_SIZE];

	if (!is_of_one)
		one = all / program->ended;
	if (is_cpu)
		sw_duration_format(amount, sizeof(amount), one);
	else
		sw_size_format(amount, sizeof(amount), one);
	if (is_of_one || program->ended == 1)
		snprintf(buf, size,
			 is_cpu ? ", %safter %s of CPU time"
				: ", %safter it had written %s",
			 who, amount);
	else
		snprintf(buf, size,
			 is_cpu ? ", with %s of CPU time each on average"
				: ", with %s written each on average",
			 amount);
}

static void head_words(char *buf, size_t size,
		       const struct sw_view_program *reader)
{
	char name[SW_FINDING_NAME_SIZE];

	if (reader)
		snprintf(buf, size, ", while %s, which was started with it, "
			 "worked on", sw_finding_name(name, sizeof(name),
						     reader->name));
	else
		snprintf(buf, size, ", before any other program began to work");
}

static void weight_words(char *buf, size_t size, const struct sw_view *view,
			 const struct sw_view_program *program,
			 enum sw_failed_weight weight)
{
	const struct sw_view_program *equals = sw_failed_equals(
		view, program, sw_driver_tells(view, program));
	char text[SW_UNITS_TEXT_SIZE];

	buf[0] = '\0';
	if (weight == SW_FAILED_AMONG_EQUALS && equals)
		snprintf(buf, size, ", while each of %llu others ran for %s "
			 "or longer and succeeded",
			 (unsigned long long)equals->exited_ok,
			 sw_duration_format(text, sizeof(text),
					    equals->ok_shortest_usec));
	else if (weight == SW_FAILED_WORKED || weight == SW_FAILED_WROTE)
		work_words(buf, size, program, weight == SW_FAILED_WORKED);
	else if (weight == SW_FAILED_AT_THE_HEAD)
		head_words(buf, size, sw_failed_reader(view, program));
	else if (weight == SW_FAILED_AT_THE_END)
		snprintf(buf, size, ", %s%s before the step's end",
			 sw_program_failures(program) > 1 ? "the last one "
							  : "",
			 sw_duration_format(text, sizeof(text),
					    view->end_usec -
						    program->last_end_usec));
}

/* Report a command that the shell could not execute. */
static void say_not_found(struct sw_finding *finding,
			  const struct sw_view *view,
			  const struct sw_view_program *program,
			  const char *why)
{
	bool has_cause = sw_program_has_cause(program);
	char words[SW_FINDING_NAME_SIZE + 128];

	finding->title = sw_not_found_title(program);
	sw_not_found_words(words, sizeof(words), program);
	sw_finding_reason(finding, SW_REASON_LIKELY,
			  program->first_not_found_usec, "%s%s%s", words,
			  has_cause ? "; " : "", has_cause ? why : "");
	sw_finding_sentence(
		finding,
		"%s%s%s%s. %s: unless the script only tries whether it "
		"has that command, a part of its work was not done; \"set "
		"-e\" makes a script stop where a command fails.",
		words,
		has_cause ? ""
			  : "; its message in the error output names the "
			    "command",
		*why ? "; " : "", why, sw_record_silence(view));
}

/* Format ", which STAR started,": a wrapper that failed because of it. */
static void wrapper_words(char *buf, size_t size, const struct sw_view *view,
			  const struct sw_view_program *program)
{
	char name[SW_FINDING_NAME_SIZE];
	size_t i;

	buf[0] = '\0';
	for (i = 0; program->started_by && i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (!strcmp(other->name, program->started_by) &&
		    !sw_program_is_shell(other->name) &&
		    !sw_program_is_messenger(other->name) &&
		    sw_zero_if_missing(sw_program_failures(other)) > 0 &&
		    sw_inner_failure(view, other) == program)
			snprintf(buf, size, ", which %s started,",
				 sw_finding_name(name, sizeof(name),
						 other->name));
	}
}

static int report(const struct sw_view *view,
		  const struct sw_view_program *program,
		  enum sw_failed_weight weight, struct sw_findings *findings)
{
	char name[SW_FINDING_NAME_SIZE], count[192], how[96],
		wrapper[SW_FINDING_NAME_SIZE + 24],
		why[SW_CAUSE_WORDS_SIZE] = "";
	struct sw_evidence evidence = {
		"processes with a nonzero exit status",
		(double)program->exited_nonzero, "count", 1,
		program->last_end_usec,
	};
	uint64_t failed_usec = sw_is_missing(program->first_failed_usec)
				       ? program->last_end_usec
				       : program->first_failed_usec;
	bool is_silent = view->state == SW_STATE_COMPLETED;
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "program.failed", SW_WARNING,
				 weight == SW_FAILED_WORKED ||
						 weight == SW_FAILED_WROTE ||
						 sw_program_has_cause(program)
					 ? 0.7
					 : 0.5,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "program %s", program->name);
	count_words(count, sizeof(count), program);
	weight_words(how, sizeof(how), view, program, weight);
	wrapper_words(wrapper, sizeof(wrapper), view, program);
	/* If processes were killed, the cause may belong to them. */
	if (sw_zero_if_missing(program->killed) == 0)
		sw_cause_words(why, sizeof(why),
			       sw_program_failures(program) > 1 ?
				       "one of them" : "it", program);
	if (weight == SW_FAILED_NOT_FOUND) {
		say_not_found(finding, view, program, why);
		return 0;
	}
	if (!*why)
		sw_cause_unrecorded(why, sizeof(why), view);
	sw_finding_reason(finding, SW_REASON_POSSIBLE, failed_usec,
			  "%s failed %s%s%s", sw_finding_name(name,
				sizeof(name), program->name), count,
			  sw_program_has_cause(program) ? "; " : "",
			  sw_program_has_cause(program) ? why : "");
	sw_finding_sentence(
		finding, "%s%s failed %s%s%s%s. %s%s",
		sw_finding_name(name, sizeof(name), program->name), wrapper,
		count, how, *why ? "; " : "", why,
		is_silent ? sw_record_silence(view) : "",
		is_silent ? ": read the program's messages and check that the "
			    "output is complete; \"set -e\" makes a script "
			    "stop where a command fails."
			  : "Read its messages to find out whether this is why "
			    "the step failed.");
	return 0;
}

/* A program whose status a messenger may have passed on is reported itself. */
static bool is_any_told(const struct sw_view *view, const double *setting)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (!sw_program_is_messenger(program->name) &&
		    sw_failed_weigh(view, program, setting) !=
			    SW_FAILED_NO_WEIGHT)
			return true;
	}
	return false;
}

/* Check findings of this view only; the engine sets view when all are there. */
static bool is_told(const struct sw_findings *findings,
		    const struct sw_view_program *program)
{
	char subject[sizeof(findings->items->subject)];
	size_t i;

	snprintf(subject, sizeof(subject), "program %s", program->name);
	for (i = 0; i < findings->count; i++) {
		const struct sw_finding *finding = &findings->items[i];

		if (!strcmp(finding->id, "program.failed") && !finding->view &&
		    !strcmp(finding->subject, subject))
			return true;
	}
	return false;
}

/* Report the failure that a messenger or a wrapper passed on, once. */
static int tell(const struct sw_view *view,
		const struct sw_view_program *program, const double *setting,
		struct sw_findings *findings)
{
	enum sw_failed_weight weight = sw_failed_weigh(view, program, setting);
	const struct sw_view_program *sender;
	bool is_messenger = sw_program_is_messenger(program->name);

	if (weight == SW_FAILED_NO_WEIGHT || is_told(findings, program) ||
	    (is_messenger && view->slurm.is_told_by_step))
		return 0;
	sender = sw_inner_failure(view, program);
	if (!sender && !is_messenger)
		return report(view, program, weight, findings);
	/* A killed program has its own finding. */
	if (sender ? sw_failed_weigh(view, sender, setting) !=
				     SW_FAILED_NO_WEIGHT ||
			     sw_zero_if_missing(sender->killed) > 0
		   : is_any_told(view, setting))
		return 0;
	if (!sender)
		sender = sw_starter_failure(view, program);
	/* The cause may be a kill inside it. */
	if (!sender &&
	    sw_has_failure_inside(view, program,
				  setting[SW_FAILED_MAX_BEFORE_END_SECONDS]))
		return 0;
	if (!sender)
		return report(view, program, weight, findings);
	if (is_told(findings, sender))
		return 0;
	return report(view, sender, SW_FAILED_PASSED_ON, findings);
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

/* Report the program that explains it best, and all others with weight. */
static int tell_failure(const struct sw_view *view, const double *setting,
			struct sw_findings *findings)
{
	if (!sw_step_has_exited(view))
		return 0;
	return sw_step_failure_tell(view, setting, findings) < 0
		       ? -1
		       : tell_all(view, setting, findings);
}

/* Report a step in which everything failed, and which reports success. */
static int report_all(const struct sw_view *view,
		      const struct sw_view_program *first,
		      struct sw_findings *findings)
{
	struct sw_evidence evidence = {
		"processes with a nonzero exit status",
		(double)first->exited_nonzero, "count", 1,
		first->first_failed_usec,
	};
	char name[SW_FINDING_NAME_SIZE], count[192],
		why[SW_CAUSE_WORDS_SIZE] = "";
	struct sw_finding *finding;
	bool is_once;

	finding = sw_finding_add(findings, "program.failed", SW_CRITICAL, 0.9,
				 &evidence);
	if (!finding)
		return -1;
	finding->title = "No program did its work";
	sw_finding_subject(finding, "program %s", first->name);
	sw_finding_name(name, sizeof(name), first->name);
	is_once = sw_program_failures(first) == 1;
	if (is_once)
		ends_words(count, sizeof(count), first);
	else
		count_words(count, sizeof(count), first);
	if (sw_zero_if_missing(first->killed) == 0)
		sw_cause_words(why, sizeof(why), "it", first);
	sw_finding_reason(finding, SW_REASON_LIKELY, first->first_failed_usec,
			  "No program did its work; the first that failed was "
			  "%s (exit status %llu)%s%s", name,
			  (unsigned long long)first->last_exit_status,
			  *why ? "; " : "", why);
	if (!*why)
		sw_cause_unrecorded(why, sizeof(why), view);
	sw_finding_sentence(
		finding, "No program of the step did its work: %s was the first "
		"to fail%s%s%s%s. What succeeded only prepares or asks "
		"something, or had no input. %s. Read the program's messages; "
		"\"set -euo pipefail\" makes a script stop where a command "
		"fails.", name, is_once ? " " : ", ", count,
		*why ? "; " : "", why, sw_record_silence(view));
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_program *first;

	if (view->state != SW_STATE_COMPLETED)
		return tell_failure(view, setting, findings);
	first = sw_all_failed_first(view, setting);
	return first && !sw_failed_is_of_past(view, first)
		       ? report_all(view, first, findings)
		       : tell_all(view, setting, findings);
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
	.meaning =
	"A program inside the step ended with a nonzero exit status. If the "
	"step still ended with 0 (no \"set -e\"), incomplete results look "
	"complete.",
	.what_to_do =
	"Read the program's messages, check the output, and let the script "
	"check each command's status (set -euo pipefail).",
	.computed =
	"Programs use the exit status to answer questions, and scripts try "
	"things, so most nonzero ones mean nothing. With 5 successful runs like "
	"it, run.unlike_past reports the statuses that none of them had, and "
	"all others are answers. Without, a failure counts if it left work "
	"undone:\n\n"
	"- one process used min_cpu_seconds of CPU time or wrote "
	"min_written_bytes before it failed (for shells, and where that was not "
	"recorded: all processes on average);\n\n"
	"- a program failed twice, or once between successes, while at least 3 "
	"others of its processes, and more than failed, each took a second and "
	"succeeded; a tenth of a second is enough of the program that does the "
	"step's work, if it is CPU time or 5 times that of the failures, and "
	"below xargs and the like if they failed as well. A program does the "
	"step's work if it used half of its CPU time, or if most processes are "
	"its own and no other program used half;\n\n"
	"- its cause is known to be a lack of space, memory or the like;\n\n"
	"- the first program failed since it could not open a file, or while "
	"the one that did the work, started together with it, went on, as in a "
	"pipeline;\n\n"
	"- all of at least min_repeats processes of the program that does the "
	"step's work failed, or the last one of a program that never succeeded, "
	"within max_before_end_seconds of the end, in a step of "
	"min_elapsed_seconds;\n\n"
	"- xargs, parallel, make or ninja said by its status that a program "
	"failed. The program is named, as for all that start others: one "
	"failure is reported once.\n\n"
	"It is critical if all programs of a step that reports success failed, "
	"but for those that start others, prepare something, answer, or had "
	"nothing to pass on; unless a shell itself worked.\n\n"
	"Exempt are answers of no (grep, diff, cmp, test, ping and the like), "
	"what cleans up, what timeout ended, what ended up to a second after "
	"head that it wrote to, forks that executed nothing, and short failures "
	"that make expected (it succeeded, or went on as by -k).\n\n"
	"A shell's child that ended with 127 found no such command; with 126 "
	"it could not execute it. This is reported unless another program ended "
	"so, too, which may be its source, or other programs that succeed as "
	"well failed at once min_probes times, as in configure; then other "
	"short failures do not count, either.\n\n"
	"If the step failed as well, one of the programs that exited within "
	"max_before_end_seconds of its end is named: in order of preference "
	"one with a known failed call, one that had the step's status or had "
	"used a second of CPU time, a command that a shell could not execute "
	"(at any time), any other; the first to fail among equals.\n\n"
	"BPF keeps the last failed calls of each process where function returns "
	"can be traced, and drops one when a later call with the same name "
	"succeeds. Files that most programs can do without do not count. A call "
	"is named as the cause only if the program ended within 5 seconds and, "
	"after a file or a connection, opened nothing to work on. If no call "
	"failed, the last file that the program opened is named instead.",
	.needs = { { "programs", "exited_nonzero" } },
	.settings = {
		{ "min_cpu_seconds", 1, 0, 1e9,
		  "CPU time of one process that failed" },
		{ "min_repeats", 3, 1, 1e9,
		  "processes with less CPU time, if all failed that did the "
		  "step's work" },
		{ "max_before_end_seconds", 2, 0, 86400,
		  "for fewer processes, from the last exit to the step's end" },
		{ "min_elapsed_seconds", 10, 0, 86400,
		  "length of the step, for programs with less CPU time" },
		{ "min_probes", 3, 1, 1e9,
		  "failures of other programs, for a script that tries "
		  "commands" },
		{ "min_written_bytes", 1048576, 0, 1e18,
		  "bytes that one process that failed wrote, with less CPU "
		  "time" },
	},
	.eval = eval,
	.blind_to = blind_to,
};

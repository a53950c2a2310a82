/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the program whose failure made a step fail. */
#include "analyzer/rules/step_failure.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/rules/cause_words.h"
#include "analyzer/rules/failed_weight.h"
#include "analyzer/rules/inner_failure.h"
#include "analyzer/rules/rule_program.h"
#include "common/delta.h"
#include "common/exit_status.h"
#include "common/text.h"
#include "common/units.h"

/* Grades of how well a program's failure explains the step's. */
enum weight {
	NOTHING,
	ANSWER,		/* last to end, and with the step's status */
	STARTER,	/* starts programs, and fails if one does */
	OWN_COMMAND,
	NEAR_END,
	NOT_FOUND,	/* a shell could not execute a command */
	LIKELY,		/* has the step's status, or had worked */
	CAUSE_OF_SHELL,
	CAUSE,
};

bool sw_step_has_exited(const struct sw_view *view)
{
	enum sw_job_state state = sw_record_state(view);

	return view->state == SW_STATE_FAILED &&
	       (!state || state == SW_JOB_FAILED);
}

static bool is_near_end(const struct sw_view *view, uint64_t usec,
			double max_seconds)
{
	return !sw_is_missing(usec) && !sw_is_missing(view->end_usec) &&
	       sw_real_u64(sw_excess_u64(view->end_usec, usec)) <=
		       max_seconds * SW_USEC_PER_SEC;
}

/* Return the time of its first failure, or of the only one known. */
static uint64_t failure_usec(const struct sw_view_program *program)
{
	if (sw_program_is_shell(program->name) &&
	    !sw_is_missing(program->first_not_found_usec))
		return program->first_not_found_usec;
	if (!sw_is_missing(program->first_failed_usec))
		return program->first_failed_usec;
	return sw_is_missing(program->failed_end_usec)
		       ? program->last_end_usec
		       : program->failed_end_usec;
}

/* Return the time of its last failure, as far as known. */
static uint64_t last_failure_usec(const struct sw_view_program *program)
{
	if (program->exited_ok == 0)
		return program->last_end_usec;
	if (!sw_is_missing(program->failed_end_usec))
		return program->failed_end_usec;
	return sw_program_failures(program) == 1 ? failure_usec(program)
						 : program->last_end_usec;
}

/* A program that used more CPU time did more than answer a question. */
static bool has_worked(const struct sw_view_program *program,
		       const double *setting)
{
	return sw_program_most(program->failed_cpu_usec, program->cpu_usec,
			       program) >=
	       setting[SW_FAILED_MIN_CPU_SECONDS] * SW_USEC_PER_SEC;
}

static bool has_status_of(const struct sw_view *view,
			  const struct sw_view_program *program)
{
	return program->last_exit_status == view->exit_code;
}

/* True if no other program, except starters, ended later. */
static bool is_last_to_end(const struct sw_view *view,
			   const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *other = &view->programs[i];

		if (other != program && !sw_program_is_shell(other->name) &&
		    !sw_program_is_messenger(other->name) &&
		    !sw_step_is_command(view, other) &&
		    (sw_is_missing(other->last_end_usec) ||
		     other->last_end_usec > program->last_end_usec))
			return false;
	}
	return program->is_complete;
}

static enum weight weigh_shell(const struct sw_view *view,
			       const struct sw_view_program *program,
			       const double *setting)
{
	double max_seconds = setting[SW_FAILED_MAX_BEFORE_END_SECONDS];

	if (sw_program_has_cause(program) &&
	    is_near_end(view, program->failed_end_usec, max_seconds))
		return CAUSE_OF_SHELL;
	/* Older recordings have only the last status. */
	if (sw_failed_is_not_found(view, program, setting) &&
	    (!sw_is_missing(program->forked_not_found) ||
	     (has_status_of(view, program) &&
	      is_near_end(view, program->last_end_usec, max_seconds))))
		return NOT_FOUND;
	/* A shell's status is that of the program it ran. */
	return NOTHING;
}

/* True for a timeout(1) whose status says that the time expired. */
static bool is_timeout(const struct sw_view_program *program)
{
	return !strcmp(program->name, "timeout") &&
	       sw_program_is_answer(program);
}

static enum weight weigh_starter(const struct sw_view *view,
				 const struct sw_view_program *program,
				 double max_seconds)
{
	/* Its command was meant to be ended. */
	if (is_timeout(program))
		return has_status_of(view, program) ? STARTER : NOTHING;
	if (sw_has_failure_inside(view, program, max_seconds))
		return NOTHING;
	if (sw_program_has_cause(program) &&
	    is_near_end(view, program->failed_end_usec, max_seconds))
		return CAUSE;
	return has_status_of(view, program) && !view->slurm.is_told_by_step
		       ? STARTER
		       : NOTHING;
}

static enum weight weigh(const struct sw_view *view,
			 const struct sw_view_program *program,
			 const double *setting)
{
	double max_seconds = setting[SW_FAILED_MAX_BEFORE_END_SECONDS];
	bool is_near, has_status = has_status_of(view, program);

	/* A crash may be the reason; others are ended because of it. */
	if (sw_program_crashes(program) > 0 ||
	    sw_zero_if_missing(program->exited_nonzero) == 0)
		return NOTHING;
	if (sw_program_is_shell(program->name))
		return weigh_shell(view, program, setting);
	if (sw_zero_if_missing(sw_program_failures(program)) == 0)
		return NOTHING;
	if (sw_program_is_messenger(program->name))
		return weigh_starter(view, program, max_seconds);
	if (sw_has_failure_inside(view, program, max_seconds))
		return NOTHING;
	is_near = is_near_end(view, last_failure_usec(program), max_seconds);
	if (sw_program_has_cause(program) &&
	    is_near_end(view, program->failed_end_usec, max_seconds))
		return CAUSE;
	if (sw_program_is_answer(program))
		return is_near && has_status && is_last_to_end(view, program)
			       ? ANSWER
			       : NOTHING;
	if (sw_failed_is_meant(view, program))
		return NOTHING;
	/* A plain run has one command; a job has several steps. */
	if (sw_step_is_command(view, program))
		return view->slurm.is_slurm ? OWN_COMMAND : NOTHING;
	/* The step continued after it. */
	if (!is_near)
		return NOTHING;
	/* It may have failed because of the inner program. */
	if (sw_has_inner_end(view, program))
		return OWN_COMMAND;
	return has_status || has_worked(program, setting) ? LIKELY : NEAR_END;
}

/* A step that started another program afterwards recovered, or cleans up. */
static bool has_gone_on(const struct sw_view *view, uint64_t usec)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (sw_program_has_begun_after(&view->programs[i], usec))
			return true;
	}
	return false;
}

/* Among equally good reasons take the first: others may follow from it. */
static const struct sw_view_program *choose(const struct sw_view *view,
					    const double *setting,
					    enum weight *most)
{
	const struct sw_view_program *chosen = NULL;
	size_t i;

	*most = NOTHING;
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];
		enum weight weight = weigh(view, program, setting);

		if (weight > *most ||
		    (chosen && weight == *most &&
		     failure_usec(program) < failure_usec(chosen))) {
			chosen = program;
			*most = weight;
		}
	}
	return chosen;
}

/* Return the advice to the reader, and the confidence. */
static const char *advise(const struct sw_view *view,
			  const struct sw_view_program *program,
			  enum weight weight, double *confidence)
{
	*confidence = weight >= NOT_FOUND ? 0.7 : 0.5;
	if (weight == ANSWER)
		return "By this status it says no, as where it finds nothing; "
		       "if that is no failure, let the script say so (|| "
		       "true).";
	if (weight == NOT_FOUND &&
	    program->last_exit_status == SW_STATUS_NOT_EXECUTABLE)
		return "Its message in the error output names the file: make "
		       "it executable (chmod +x), or start it by its "
		       "interpreter.";
	if (weight == NOT_FOUND)
		return "Its message in the error output names the command: "
		       "load the module or correct the name or PATH.";
	if (weight == NEAR_END ||
	    (weight == LIKELY && !has_status_of(view, program)))
		return "Read its messages to find out whether this is why the "
		       "step failed.";
	if (weight < CAUSE_OF_SHELL)
		return "Read its messages to find out why.";
	if (has_gone_on(view, program->failed_end_usec)) {
		*confidence = 0.5;
		return "Other programs ran after it, so check whether this is "
		       "why the step failed.";
	}
	*confidence = 0.9;
	return "Correct this before you run it again.";
}

static enum sw_reason reason_of(enum weight weight)
{
	if (weight <= ANSWER)
		return SW_REASON_SHELL;
	if (weight == STARTER)
		return SW_REASON_STARTER;
	return weight < OWN_COMMAND ? SW_REASON_POSSIBLE : SW_REASON_LIKELY;
}

/* "bwa exited with 1; it could not open /ref/genome.fa: no such file" */
static void failure_words(char *buf, size_t size,
			  const struct sw_view_program *program,
			  enum weight weight)
{
	char name[SW_FINDING_NAME_SIZE], why[SW_CAUSE_WORDS_SIZE];

	if (weight == NOT_FOUND) {
		sw_not_found_words(buf, size, program);
		return;
	}
	sw_finding_name(name, sizeof(name), program->name);
	if (sw_is_missing(program->last_exit_status))
		snprintf(buf, size, "%s failed", name);
	else
		snprintf(buf, size, "%s exited with %llu", name,
			 (unsigned long long)program->last_exit_status);
	if (is_timeout(program))
		sw_text_add(buf, size, ": the time that it was given for its "
			    "command was up");
	if (sw_zero_if_missing(sw_program_failures(program)) > 1)
		sw_text_add(buf, size, " (the last of %llu failures)",
			    (unsigned long long)sw_program_failures(program));
	if (*sw_cause_words(why, sizeof(why), "it", program))
		sw_text_add(buf, size, "; %s", why);
}

/* Format further evidence, or what is not known; "". */
static const char *remark(char *buf, size_t size, const struct sw_view *view,
			  const struct sw_view_program *program,
			  enum weight weight)
{
	char unrecorded[SW_CAUSE_WORDS_SIZE];

	if (weight == NOT_FOUND || program->last_read || program->failed_call)
		return "";
	if (weight != OWN_COMMAND && sw_zero_if_missing(program->killed) == 0 &&
	    is_last_to_end(view, program) &&
	    has_status_of(view, program))
		return "; it was the last program to end, and the step ended "
		       "with the same status, as a script with \"set -e\" "
		       "does";
	if (!*sw_cause_unrecorded(unrecorded, sizeof(unrecorded), view))
		return "";
	snprintf(buf, size, "; %s", unrecorded);
	return buf;
}

static int tell(const struct sw_view *view,
		const struct sw_view_program *program, enum weight weight,
		struct sw_findings *findings)
{
	char words[SW_REASON_SIZE], remarks[SW_CAUSE_WORDS_SIZE + 2];
	struct sw_evidence evidence = {
		"processes with a nonzero exit status",
		(double)program->exited_nonzero,
		"count",
		1,
		failure_usec(program),
	};
	struct sw_finding *finding;
	const char *advice;
	double confidence;

	advice = advise(view, program, weight, &confidence);
	finding = sw_finding_add(findings, "program.failed",
				 confidence > 0.5 ? SW_CRITICAL : SW_WARNING,
				 confidence, &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "program %s", program->name);
	if (weight == NOT_FOUND)
		finding->title = sw_not_found_title(program);
	failure_words(words, sizeof(words), program, weight);
	sw_finding_reason(finding, reason_of(weight), failure_usec(program),
			  "%s", words);
	sw_finding_sentence(finding, "%s%s. %s", words,
			    remark(remarks, sizeof(remarks), view, program,
				   weight), advice);
	return 0;
}

int sw_step_failure_tell(const struct sw_view *view, const double *setting,
			 struct sw_findings *findings)
{
	const struct sw_view_program *program;
	enum weight weight;

	if (!sw_step_has_exited(view))
		return 0;
	program = choose(view, setting, &weight);
	return program ? tell(view, program, weight, findings) : 0;
}
